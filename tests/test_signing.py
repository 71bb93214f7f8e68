"""Signed reports: the signature covers the whole file, changes nothing in it, can be checked."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import PdfSignatureMetadata, sign_pdf
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import FreeText
from pypdf.generic import DictionaryObject, NameObject, RectangleObject, TextStringObject

from audit.errors import OptionError
from audit.report import render_report
from audit.report.stamp import stamp
from audit.report.words import words
from audit.signing import VARIABLE
from audit.signing.identity import load_identity
from audit.signing.sign import signed
from audit.signing.verify_pdf import verify_pdf
from tests.certificates import PASSPHRASE, Identity, case_of, identity, trusted

FLIPS = 12
PARTS = ["signature", "signer", "manifest.json", "findings.csv"]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return case_of(tmp_path_factory.mktemp("signed"), "KS 2H / 3D 4C / banker")


@pytest.fixture(scope="module")
def places() -> list[Any]:
    return []


@pytest.fixture(scope="module")
def unsigned(case: Path, places: list[Any]) -> bytes:
    def keep(pdf: bytes, place: object, _: object) -> bytes:
        places.append(place)
        return pdf

    return render_report(case, case.parent / "unsigned.pdf", seal=keep).read_bytes()


@pytest.fixture(scope="module")
def root() -> Identity:
    return identity("Authority", authority=True)


@pytest.fixture(scope="module")
def holder(root: Identity) -> Identity:
    return identity("陳大文", issuer=root)


def signer_of(who: Identity, folder: Path) -> Any:
    (folder / "who.p12").write_bytes(who.p12(None))
    return load_identity(folder / "who.p12", None)


@pytest.fixture(scope="module")
def report(unsigned: bytes, holder: Identity, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    (folder / "r.pdf").write_bytes(signed(unsigned, signer_of(holder, folder), None, None))
    return folder / "r.pdf"


def states(found: Any) -> dict[str, str]:
    return {part.what: part.state for part in found.parts}


def detail(found: Any, what: str) -> str:
    return next(part.detail for part in found.parts if part.what == what)


def test_it_holds_and_names_the_signer(
    report: Path, case: Path, root: Identity, tmp_path: Path
) -> None:
    found = verify_pdf(report, trusted(root, tmp_path), case)
    assert [(part.what, part.state) for part in found.parts] == [(what, "same") for what in PARTS]
    assert found.exit == 0
    assert found.case_id == json.loads((case / "manifest.json").read_text())["case_id"]
    assert detail(found, "signature") == "intact, covers the whole file"
    said = detail(found, "signer")
    assert said.startswith(
        "陳大文; certificate issued by Authority; trusted by --trust; revocation"
    )
    assert "(UTC+8), the time is the signer's word" in said


def test_the_unsigned_report_stands_in_it_byte_by_byte(report: Path, unsigned: bytes) -> None:
    content = report.read_bytes()
    assert content.startswith(unsigned)
    root: Any = PdfReader(report).trailer["/Root"]
    field = root["/AcroForm"]["/Fields"][0]
    assert field["/V"]["/SubFilter"] == "/ETSI.CAdES.detached"
    assert b'pdfaid:conformance="A"' in root["/Metadata"].get_object().get_data()
    assert {"/AF", "/StructTreeRoot", "/OutputIntents", "/MarkInfo", "/Lang"} <= set(root)
    assert field["/F"] & 0b110111 == 0b100
    first, size, start, rest = field["/V"]["/ByteRange"]
    assert (first, start + rest) == (0, len(content))
    assert content[size : size + 1] + content[start - 1 : start] == b"<>"


def test_two_signings_differ_and_both_hold(
    unsigned: bytes, holder: Identity, report: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.pdf"
    again.write_bytes(signed(unsigned, signer_of(holder, tmp_path), None, None))
    assert again.read_bytes() != report.read_bytes()
    assert states(verify_pdf(again))["signature"] == "same"


def test_an_rsa_key_signs_too(unsigned: bytes, tmp_path: Path) -> None:
    who = identity(strong=True)
    file = tmp_path / "rsa.pdf"
    file.write_bytes(signed(unsigned, signer_of(who, tmp_path), None, None))
    found = verify_pdf(file, trusted(who, tmp_path))
    assert (states(found)["signature"], states(found)["signer"]) == ("same", "same")
    assert "self-signed" in detail(found, "signer")


def test_a_visible_signature_stands_on_its_line(
    unsigned: bytes, places: list[Any], holder: Identity, tmp_path: Path
) -> None:
    def draw(name: str, moment: str) -> bytes:
        return stamp(words("zh-Hant"), name, moment)

    file = tmp_path / "seen.pdf"
    file.write_bytes(signed(unsigned, signer_of(holder, tmp_path), places[0], draw))
    assert states(verify_pdf(file))["signature"] == "same"
    assert file.read_bytes().startswith(unsigned)
    reader = PdfReader(file)
    page, left, top = places[0]
    assert page == len(reader.pages) - 1
    annots: Any = reader.pages[page]["/Annots"]
    (seen,) = [each.get_object() for each in annots if each.get_object().get("/FT") == "/Sig"]
    assert [float(side) for side in seen["/Rect"]] == [
        round(left), round(top) - 34, round(left) + 176, round(top),
    ]  # fmt: skip
    fonts = json.dumps(str(seen["/AP"]["/N"]["/Resources"]))
    assert "XObject" in fonts
    root: Any = reader.trailer["/Root"]
    numbers = root["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    assert numbers[-2] == seen["/StructParent"]
    assert numbers[-1]["/S"] == "/Form"
    assert numbers[-1]["/Alt"] == "陳大文"


def test_a_changed_byte_breaks_it(report: Path, tmp_path: Path) -> None:
    content, random = report.read_bytes(), Random(7)
    file = tmp_path / "changed.pdf"
    at = [content.index(b"/ByteRange"), content.rindex(b"0000>") - 9, len(content) - 3]
    # Within the signature itself there are words that no signature covers, and that say nothing.
    hole = range(content.rindex(b"/Contents <"), content.rindex(b"0000>") + 5)
    others = (
        place for _ in range(9 * FLIPS) if (place := random.randrange(8, len(content))) not in hole
    )
    for place in [*at, *islice(others, FLIPS)]:
        changed = bytearray(content)
        changed[place] ^= 1 << random.randrange(8)
        file.write_bytes(changed)
        found = verify_pdf(file)
        assert found.exit == 1, place
        assert found.parts[0].what in ("signature", "file")


def test_what_is_added_behind_it_is_found(report: Path, tmp_path: Path) -> None:
    file = tmp_path / "added.pdf"
    file.write_bytes(report.read_bytes() + b"\n% more\n")
    assert states(verify_pdf(file))["signature"] == "differs"
    for change in (page_added, text_added, note_added, attachment_changed, catalogue_changed):
        writer = PdfWriter(report, incremental=True)
        change(writer)
        writer.write(file)
        found = verify_pdf(file)
        said = detail(found, "signature")
        assert said == "intact, but the file was altered after signing", change
        assert found.exit == 1
    writer = PdfWriter(report, incremental=True)
    writer.add_metadata({"/Title": "Another"})
    writer.write(file)
    assert states(verify_pdf(file))["signature"] == "not_checked"


def page_added(writer: PdfWriter) -> None:
    writer.add_blank_page(100, 100)


def text_added(writer: PdfWriter) -> None:
    page: Any = writer.pages[0]
    page[NameObject("/MediaBox")] = RectangleObject((0, 0, 10, 10))


def note_added(writer: PdfWriter) -> None:
    writer.add_annotation(0, FreeText(text="no violations", rect=(50, 550, 200, 650)))


def attachment_changed(writer: PdfWriter) -> None:
    file = writer.root_object["/AF"][0].get_object()["/EF"]["/F"].get_object()  # type: ignore[index]
    file._data = b"x"


def catalogue_changed(writer: PdfWriter) -> None:
    writer.root_object[NameObject("/OpenAction")] = DictionaryObject(
        {NameObject("/S"): NameObject("/JavaScript"), NameObject("/JS"): TextStringObject("x")}
    )


def test_who_reviews_it_can_sign_after(report: Path, holder: Identity, tmp_path: Path) -> None:
    """A second signature is no alteration: each of the two is told."""
    pdf = IncrementalPdfFileWriter(io.BytesIO(report.read_bytes()))
    meta = PdfSignatureMetadata(field_name="Review", md_algorithm="sha256")
    second = sign_pdf(pdf, meta, signer_of(identity("Reviewer"), tmp_path))
    file = tmp_path / "both.pdf"
    file.write_bytes(second.getvalue())
    found = verify_pdf(file)
    assert found.exit == 0
    assert detail(found, "signature 1") == "intact; what a later signature added changes no page"
    assert detail(found, "signature 2") == "intact, covers the whole file"
    assert detail(found, "signer 2").startswith("Reviewer; certificate self-signed")


def test_another_authority_does_not_vouch(report: Path, tmp_path: Path) -> None:
    found = verify_pdf(report, trusted(identity("Other", authority=True), tmp_path))
    assert (states(found)["signer"], found.exit) == ("differs", 1)
    found = verify_pdf(report)
    assert (states(found)["signer"], found.exit) == ("not_checked", 0)
    assert "give --trust" in detail(found, "signer")


def test_the_certificate_of_the_signer_itself_can_be_trusted(
    report: Path, holder: Identity, tmp_path: Path
) -> None:
    assert states(verify_pdf(report, trusted(holder, tmp_path)))["signer"] == "same"


def test_an_unsigned_report_says_so(
    unsigned: bytes, case: Path, root: Identity, tmp_path: Path
) -> None:
    file = tmp_path / "u.pdf"
    file.write_bytes(unsigned)
    found = verify_pdf(file, (), case)
    assert found.exit == 0
    assert list(states(found).values()) == ["not_checked", "same", "same"]
    assert verify_pdf(file, trusted(root, tmp_path)).exit == 1


def test_the_report_of_another_case_differs(report: Path, tmp_path: Path) -> None:
    other = case_of(tmp_path / "other", "KS 3H / 3D 4C / banker")
    found = verify_pdf(report, (), other)
    assert (states(found)["manifest.json"], states(found)["findings.csv"]) == ("differs", "differs")
    assert found.exit == 1


def test_the_findings_are_counted_without_a_case(report: Path) -> None:
    found = verify_pdf(report)
    assert states(found)["manifest.json"] == "same"
    assert detail(found, "findings.csv") == "1 findings, as many as there are; give --case"


def test_a_certificate_that_was_out_of_date_differs(
    unsigned: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = identity(days=(-400, 5))
    signer = signer_of(who, tmp_path)
    file = tmp_path / "late.pdf"

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime(2090, 1, 1, tzinfo=UTC).astimezone(tz)

    monkeypatch.setattr("audit.signing.sign.datetime", Later)
    file.write_bytes(signed(unsigned, signer, None, None))
    found = verify_pdf(file, trusted(who, tmp_path))
    assert states(found)["signature"] == "same"
    assert states(found)["signer"] == "differs"
    assert "not valid when it signed" in detail(found, "signer")


def test_other_files_that_cannot_sign(
    holder: Identity, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, PASSPHRASE)
    file = tmp_path / "k.p12"
    for content in (b"", b"junk", holder.p12()[:-30], holder.pem()):
        file.write_bytes(content)
        with pytest.raises(OptionError, match="no PKCS#12 file, or it is damaged"):
            load_identity(file, None)
    for content, what in (
        (identity(days=(3, 9)).p12(), "is not valid before 20"),
        (pkcs12_of_no_key(holder), "no certificate with its private key"),
        (bytes(1 << 21), "too long"),
    ):
        file.write_bytes(content)
        with pytest.raises(OptionError, match=what):
            load_identity(file, None)


def pkcs12_of_no_key(who: Identity) -> bytes:
    how = BestAvailableEncryption(PASSPHRASE.encode())
    return pkcs12.serialize_key_and_certificates(b"x", None, who.certificate, None, how)


def test_a_damaged_pdf_is_told_as_one(tmp_path: Path) -> None:
    (tmp_path / "u.pdf").write_bytes(b"%PDF-1.7\nnothing")
    found = verify_pdf(tmp_path / "u.pdf")
    assert [(part.what, part.state) for part in found.parts] == [("file", "differs")]


def test_the_stamp_is_a_page_of_our_typeface(tmp_path: Path) -> None:
    made = stamp(words("pt"), "<b>João</b> " + "x" * 90, "2026-01-01 08:00 (UTC+8)")
    (tmp_path / "stamp.pdf").write_bytes(made)
    reader = PdfReader(tmp_path / "stamp.pdf")
    (page,) = reader.pages
    text = page.extract_text()
    assert "Assinado electronicamente por" in text
    assert "<b>João</b>" in text
