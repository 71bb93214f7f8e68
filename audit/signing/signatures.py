"""One signature judged: its cryptography, what it covers, whom it names, who vouches for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import SEEK_END
from typing import Any

from asn1crypto import parser
from asn1crypto.x509 import Certificate
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko.sign.validation.status import PdfSignatureStatus, SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

from audit.signing.additions import Change, additions
from audit.signing.names import day, minute, named
from audit.verify import State

TRUST_OPEN = "whether it can be trusted is not checked: give --trust"
NO_PROOF = "the time is the signer's word"


_COVERING = (SignatureCoverageLevel.ENTIRE_FILE, SignatureCoverageLevel.ENTIRE_REVISION)


@dataclass(frozen=True)
class Judgement:
    """What is to be said of a signature; ``status`` is None where it cannot even be read."""

    status: PdfSignatureStatus | None
    certificate: Certificate | None
    moment: datetime | None
    trusted: bool | None
    """None where nobody said whom to trust."""

    padded: bool = True
    """Whether nothing is hidden in the place of the signature itself."""

    whole: bool = False
    """Whether it covers the file to its last byte."""

    added: Change = "none"
    """What was added to the file after it."""

    def integrity(self, *, rest_signed: bool) -> tuple[State, str]:
        """Whether the file is as it was signed; ``rest_signed``: a later signature covers all."""
        status = self.status
        if status is None:
            return "differs", "it cannot be read"
        if not status.intact or not status.valid or not self.padded:
            return "differs", "the file is not what was signed: its bytes were changed"
        if status.coverage not in _COVERING:
            return "differs", "it covers a part of the file only"
        if self.whole:
            return "same", "intact, covers the whole file"
        if self.added in ("none", "altered"):
            return "differs", "intact, but the file was altered after signing"
        shown = "; a later signature shows on a page" if self.added == "shown" else ""
        if rest_signed:
            return "same", f"intact; what a later signature added changes no page{shown}"
        return (
            "not_checked",
            f"intact; what was added later changes no page, but is not signed{shown}",
        )

    def signer(self) -> tuple[State, str]:
        """Who signed, and what is known of it."""
        if self.certificate is None:
            return "differs", "there is no certificate in the signature"
        state, vouched = self._vouched()
        when = "" if self.moment is None else f"signed {minute(self.moment)}, {NO_PROOF}"
        if (late := self._out_of_time()) is not None:
            state, vouched = "differs", late
        parts = (
            named(self.certificate.subject),
            f"certificate {_issued(self.certificate)}",
            vouched,
            when,
            self._since(),
            f"SHA-256 of the certificate {self.certificate.sha256.hex()}",
        )
        return state, "; ".join(part for part in parts if part)

    def _vouched(self) -> tuple[State, str]:
        if self.trusted is None:
            return "not_checked", TRUST_OPEN
        if self.trusted:
            return "same", "trusted by --trust; revocation is not checked"
        return "differs", "no certificate of --trust vouches for it"

    def _out_of_time(self) -> str | None:
        certificate, moment = self.certificate, self.moment
        if certificate is None or moment is None:
            return None
        if not certificate.not_valid_before <= moment <= certificate.not_valid_after:
            first, last = day(certificate.not_valid_before), day(certificate.not_valid_after)
            return f"not valid when it signed: valid {first} to {last}"
        return None

    def _since(self) -> str:
        """An expiry after the signing is no fault, but is told."""
        if self.certificate is None or self.certificate.not_valid_after >= datetime.now(UTC):
            return ""
        return f"certificate expired on {day(self.certificate.not_valid_after)}"


def _issued(certificate: Certificate) -> str:
    if certificate.subject == certificate.issuer:
        return "self-signed"
    return f"issued by {named(certificate.issuer)}"


def judged(signature: Any, anchors: Sequence[Certificate]) -> Judgement:
    """An embedded signature of pyHanko's reader, held against the certificates to be trusted."""
    usage = KeyUsageConstraints(key_usage=set())
    try:
        moment = _aware(signature.self_reported_timestamp)
        context = ValidationContext(
            trust_roots=list(anchors), allow_fetching=False, moment=moment or datetime.now(UTC)
        )
        certificate = signature.signer_cert
        status = validate_pdf_signature(
            signature, context, key_usage_settings=usage, skip_diff=True
        )
        padded, whole = _padded(signature), covers_all(signature)
        added = additions(signature.reader, signature.signed_revision)
    except Exception:  # a damaged signature makes the library raise whatever there is
        return Judgement(None, None, None, None)
    pinned = any(each.sha256 == certificate.sha256 for each in anchors)
    trusted = None if not anchors else bool(pinned or status.trusted)
    return Judgement(status, certificate, moment, trusted, padded, whole, added)


def covers_all(signature: Any) -> bool:
    """Whether what is signed begins with the file and ends with it."""
    start, _, after, size = (int(each) for each in signature.byte_range)
    return start == 0 and after + size == signature.reader.stream.seek(0, SEEK_END)


def _aware(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _padded(signature: Any) -> bool:
    """Whether the one part that no signature covers, its own place, holds it and noughts only."""
    content = bytes(signature.pkcs7_content)
    used = parser.peek(content)
    first, before, after, _ = (int(each) for each in signature.byte_range)
    stream = signature.reader.stream
    stream.seek(first + before)
    place = stream.read(after - first - before)
    written = (b"<%b>" % content.hex().encode(), b"<%b>" % content.hex().upper().encode())
    return place in written and not any(content[used:])
