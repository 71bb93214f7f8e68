"""A signature on a finished PDF (PAdES B-B): added behind it, none of its bytes changed.

It certifies the document and allows further signatures, for who reviews it; nothing else. The
time in it is this machine's word, so that a signed file is another one each time.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pyhanko.pdf_utils import generic, layout
from pyhanko.pdf_utils.generic import pdf_name
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.sign import PdfSignatureMetadata, PdfSigner, SimpleSigner
from pyhanko.sign.fields import (
    InvisSigSettings,
    SigFieldSpec,
    SigSeedSubFilter,
    append_signature_field,
)
from pyhanko.sign.general import SigningError
from pyhanko.sign.signers.pdf_signer import PdfSigningSession
from pyhanko.stamp import BaseStampStyle, StaticStampStyle

from audit.errors import ReportError
from audit.manifest import MACAU
from audit.signing.names import minute, named

FIELD = "Signature"
WIDE, HIGH = 176, 34
"""Size of a visible signature in points: that of the line to sign on."""

Place = tuple[int, float, float]
Draw = Callable[[str, str], bytes]
"""Makes a PDF page of WIDE by HIGH points from the signer's name and the time."""


class _Signer(PdfSigner):
    """Signs with a time in Macau's zone, whatever zone the machine is in."""

    moment: datetime

    def init_signing_session(self, *given: Any, **more: Any) -> PdfSigningSession:
        session = super().init_signing_session(*given, **more)
        session.system_time = self.moment
        return session


def signed(pdf: bytes, signer: SimpleSigner, place: Place | None, draw: Draw | None) -> bytes:
    """``pdf`` with a signature behind it; visible at ``place`` (see ``Finish``) with ``draw``.

    ReportError where the key cannot sign.
    """
    moment = datetime.now(UTC).astimezone(MACAU).replace(microsecond=0)
    assert signer.signing_cert is not None
    name = named(signer.signing_cert.subject)
    writer = IncrementalPdfFileWriter(io.BytesIO(pdf))
    stamp = draw(name, minute(moment)) if draw is not None and place is not None else None
    try:
        append_signature_field(writer, _field(place if stamp is not None else None, name))
        if stamp is not None and place is not None:
            _tag(writer, place[0], name)
        with TemporaryDirectory(prefix="baccarat-audit-") as folder:
            style = _style(Path(folder) / "stamp.pdf", stamp)
            making = _Signer(_metadata(name), signer, stamp_style=style)
            making.moment = moment
            return bytes(making.sign_pdf(writer, existing_fields_only=True).getvalue())
    except (SigningError, PdfError, ValueError, LookupError, NotImplementedError) as error:
        reason = str(error).split("\n", 1)[0]
        raise ReportError(
            f"the report could not be signed ({reason})",
            hint="Use a certificate with an RSA or elliptic-curve key, or leave out --sign",
        ) from error


def _metadata(name: str) -> PdfSignatureMetadata:
    return PdfSignatureMetadata(
        field_name=FIELD,
        md_algorithm="sha256",
        subfilter=SigSeedSubFilter.PADES,
        certify=True,
        name=name,
    )


def _field(place: Place | None, name: str) -> SigFieldSpec:
    if place is None:
        # Outside the page: an archival file may hide nothing, a tagged one shows nothing untagged.
        hidden = InvisSigSettings(box_out_of_bounds=True)
        return SigFieldSpec(FIELD, invis_sig_settings=hidden, readable_field_name=name)
    page, left, top = place
    box = (round(left), round(top) - HIGH, round(left) + WIDE, round(top))
    return SigFieldSpec(FIELD, on_page=page, box=box, readable_field_name=name)


def _style(file: Path, stamp: bytes | None) -> BaseStampStyle | None:
    if stamp is None:
        return None
    file.write_bytes(stamp)
    whole = layout.SimpleBoxLayoutRule(
        x_align=layout.AxisAlignment.ALIGN_MIN,
        y_align=layout.AxisAlignment.ALIGN_MIN,
        margins=layout.Margins(0, 0, 0, 0),
    )
    return StaticStampStyle.from_pdf_file(str(file), border_width=0, background_layout=whole)


def _tag(writer: IncrementalPdfFileWriter, page: int, name: str) -> None:
    """The visible field as a part of the document's structure, so that it is read aloud."""
    root = writer.root["/StructTreeRoot"]
    document = root["/K"][0]
    field = writer.root["/AcroForm"]["/Fields"].raw_get(0)
    numbers = root["/ParentTree"]["/Nums"]
    key = generic.NumberObject(int(numbers[-2]) + 1)
    place = writer.find_page_for_modification(page)[0]
    target = {"/Type": pdf_name("/OBJR"), "/Obj": field, "/Pg": place}
    element = writer.add_object(
        generic.DictionaryObject(
            {
                pdf_name("/Type"): pdf_name("/StructElem"),
                pdf_name("/S"): pdf_name("/Form"),
                pdf_name("/P"): root["/K"].raw_get(0),
                pdf_name("/Pg"): place,
                pdf_name("/Alt"): generic.pdf_string(name),
                pdf_name("/K"): generic.DictionaryObject(
                    {pdf_name(k): v for k, v in target.items()}
                ),
            }
        )
    )
    document["/K"].append(element)
    numbers.extend([key, element])
    widget = field.get_object()
    widget[pdf_name("/StructParent")] = key
    for changed in (document, root["/ParentTree"], widget):
        writer.update_container(changed)
