"""A finished report read again: who signed it, whether it is whole, whether it fits its case."""

from __future__ import annotations

import io
import logging
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from asn1crypto.x509 import Certificate
from pyhanko.keys.pemder import load_certs_from_pemder_data
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader

from audit.errors import CaseError, OptionError
from audit.signing.attached import compared
from audit.signing.signatures import covers_all, judged
from audit.verify import Part, Verification

_BROKEN = (PdfError, ValueError, LookupError, RecursionError, zlib.error)
"""What a damaged file makes its reader raise."""


def verify_pdf(path: Path, trust: Sequence[Path] = (), case: Path | None = None) -> Verification:
    """The parts of the PDF ``path``: signatures and their signers, and what is attached.

    ``trust`` are files of certificates that a signer must have, or be certified by; with any of
    them an unsigned file differs. ``case`` is the one that the report should be of. AuditError
    where nothing can be told: this is no PDF, a certificate or the case cannot be read.
    """
    for library in ("pyhanko", "pyhanko_certvalidator"):
        logging.getLogger(library).setLevel(logging.CRITICAL)
    anchors = [each for file in trust for each in _certificates(file)]
    content = path.read_bytes()
    if not content.startswith(b"%PDF"):
        raise CaseError(
            "this is neither a case nor a PDF",
            where=str(path),
            hint="Name the folder of a case, or a report",
        )
    try:
        reader, found = _opened(content)
        parts = [*_signatures(found, anchors, left=b"/ByteRange" in content)]
        identity, attached = compared(reader, case)
    except _BROKEN as error:
        reason = str(error).split("\n", 1)[0][:160] or type(error).__name__
        return Verification("", (Part("file", "differs", f"it is damaged ({reason})"),))
    return Verification(identity, (*parts, *attached))


def _opened(content: bytes) -> tuple[PdfFileReader, list[Any]]:
    """The reader of a PDF and its signatures; ValueError where it is damaged."""
    try:
        reader = PdfFileReader(io.BytesIO(content), strict=False)
        return reader, list(reader.embedded_signatures)
    except Exception as error:  # the library raises whatever there is on a damaged file
        raise ValueError(str(error)) from error


def _signatures(
    found: Sequence[Any], anchors: Sequence[Certificate], *, left: bool
) -> Iterator[Part]:
    """Two parts for each signature ``found``; ``left``: there are words of one in the file."""
    if not found and left:
        yield Part("signature", "differs", "it is damaged and cannot be read")
    elif not found and anchors:
        yield Part("signature", "differs", "the file is not signed")
    elif not found:
        yield Part("signature", "not_checked", "the file is not signed")
    whole = bool(found) and covers_all(found[-1])
    found = [each for each in found if each.sig_object_type != "/DocTimeStamp"]
    for number, each in enumerate(found, 1):
        name = f" {number}" if len(found) > 1 else ""
        judgement = judged(each, anchors)
        yield Part(f"signature{name}", *judgement.integrity(rest_signed=whole))
        yield Part(f"signer{name}", *judgement.signer())


def _certificates(file: Path) -> list[Certificate]:
    if not file.is_file():
        raise OptionError("there is no such file", where=f"--trust {file}", hint="Check the path")
    try:
        found = list(load_certs_from_pemder_data(file.read_bytes()))
        if found and all(each.subject.native is not None for each in found):
            return found
    except (ValueError, TypeError):
        pass
    raise OptionError(
        "there is no certificate in this file",
        where=f"--trust {file}",
        hint="Export the certificate alone, as PEM or DER",
    )
