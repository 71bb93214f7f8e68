"""What is attached to a report, held against its own account and against a case."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pyhanko.pdf_utils.reader import PdfFileReader

from audit.case import MANIFEST, case_id
from audit.report.attach import FINDINGS, write_findings
from audit.verify import Part

MOST = 1 << 31
"""Bytes of an attachment that are unpacked; a million findings are a tenth of it."""


def compared(reader: PdfFileReader, case: Path | None) -> tuple[str, list[Part]]:
    """The id of the case that the report says it is of, and a part for each attachment.

    Without ``case`` the manifest is held against its own id, and the findings are counted.
    """
    found = dict(_files(reader.root))
    manifest = _manifest(found.get(MANIFEST))
    identity = "" if manifest is None else str(manifest["case_id"])
    if case is None:
        return identity, [_own_manifest(found, manifest), _counted(found, manifest)]
    with TemporaryDirectory(prefix="baccarat-audit-") as folder:
        table = Path(folder) / FINDINGS
        write_findings(case, table)
        wanted = ((MANIFEST, case / MANIFEST), (FINDINGS, table))
        return identity, [_against(found, name, file) for name, file in wanted]


def _files(root: Any) -> Iterator[tuple[str, bytes]]:
    """The attachments by name, as a flat list of them holds them: the one that a report has."""
    try:
        names = root["/Names"]["/EmbeddedFiles"]["/Names"]
    except KeyError:
        return
    for place in range(1, len(names), 2):
        specification = names[place]
        yield str(specification["/UF"]), _content(specification["/EF"]["/F"])


def _content(stream: Any) -> bytes:
    if "/Filter" not in stream:
        return bytes(stream.data)
    if stream["/Filter"] != "/FlateDecode":
        raise ValueError("an attachment is packed in a way that no report is")
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(stream.encoded_data, MOST)
    except zlib.error:
        raise ValueError("an attachment cannot be unpacked") from None
    if unpacking.unconsumed_tail:
        raise ValueError("an attachment is too large")
    return content


def _manifest(content: bytes | None) -> dict[str, Any] | None:
    """The manifest, where it is whole: its id is a hash of all the rest."""
    try:
        manifest = json.loads((content or b"").decode("utf-8"))
        said = manifest.pop("case_id")
        return {"case_id": said, **manifest} if case_id(manifest) == said else None
    except (ValueError, AttributeError, KeyError, TypeError):
        return None


def _own_manifest(found: dict[str, bytes], manifest: dict[str, Any] | None) -> Part:
    if MANIFEST not in found:
        return Part(MANIFEST, "differs", "it is not attached")
    if manifest is None:
        return Part(MANIFEST, "differs", "it does not give the case id that it says")
    return Part(MANIFEST, "same", f"gives case id {manifest['case_id']}, as it says")


def _counted(found: dict[str, bytes], manifest: dict[str, Any] | None) -> Part:
    if FINDINGS not in found:
        return Part(FINDINGS, "differs", "it is not attached")
    if manifest is None:
        return Part(FINDINGS, "not_checked", f"there is no sound {MANIFEST} to check it by")
    lines = csv.reader(io.StringIO(found[FINDINGS].decode("utf-8"), newline=""))
    rows = sum(1 for _ in lines) - 1
    said = manifest["tables"]["findings"]["rows"]
    if rows != said:
        return Part(FINDINGS, "differs", f"{rows:,} findings, the manifest says {said:,}")
    return Part(FINDINGS, "not_checked", f"{rows:,} findings, as many as there are; give --case")


def _against(found: dict[str, bytes], name: str, file: Path) -> Part:
    if name not in found:
        return Part(name, "differs", "it is not attached")
    content = file.read_bytes()
    if hashlib.sha256(content).digest() == hashlib.sha256(found[name]).digest():
        return Part(name, "same", f"{len(content):,} bytes, those of the case")
    return Part(name, "differs", "it is not that of the case")
