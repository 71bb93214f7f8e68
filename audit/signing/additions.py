"""What later additions to a signed PDF did: by the objects that they replaced, and nothing else.

A PDF is added to, never rewritten: an addition brings new objects, and new versions of old ones.
What a reader of the report sees hangs on its pages, what is attached to it on its catalogue; each
of these has to be as it was, but for the place of a later signature.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pyhanko.pdf_utils.generic import IndirectObject, StreamObject
from pyhanko.pdf_utils.reader import PdfFileReader

Change = Literal["none", "unseen", "shown", "altered"]
"""Nothing was added; nothing that shows; a later signature shows; the report is another one."""

_ORDER: tuple[Change, ...] = ("none", "unseen", "shown", "altered")
_CATALOGUE = frozenset({"/AcroForm", "/DSS", "/Extensions", "/Version", "/Metadata", "/Perms"})
_PAGE = frozenset({"/Annots", "/Tabs", "/StructParents"})
"""Keys that an addition may change."""

_STAYS = frozenset(
    {"/Filespec", "/Pages", "/OutputIntent", "/Font", "/FontDescriptor", "/Outlines"}
)
"""Kinds of objects that an addition may not replace."""


def additions(reader: PdfFileReader, revision: int) -> Change:
    """What was added after the ``revision`` of the file; KeyError where its history is broken."""
    last = reader.xrefs.total_revisions - 1
    if revision >= last:
        return "none"
    old = reader.get_historical_resolver(revision)
    if _flat(dict.get(old.trailer_view, "/Root")) != _flat(dict.get(reader.trailer_view, "/Root")):
        return "altered"
    changed = set()
    for later in range(revision + 1, last + 1):
        if reader.xrefs.refs_freed_in_revision(later):
            return "altered"
        changed |= reader.xrefs.explicit_refs_in_revision(later)
    known = [ref for ref in changed if _existed(reader, ref, revision)]
    verdicts = (_replaced(old.get_object(ref), reader.get_object(ref)) for ref in known)
    return max(verdicts, key=_ORDER.index, default="unseen")


def _existed(reader: PdfFileReader, ref: Any, revision: int) -> bool:
    try:
        return reader.xrefs.get_historical_ref(ref, revision) is not None
    except KeyError:
        return False


def _replaced(before: Any, after: Any) -> Change:
    """One object and the one in its place."""
    if _flat(before) == _flat(after) and not isinstance(before, StreamObject):
        return "unseen"
    if not isinstance(before, dict):
        return "unseen"
    kind = str(dict.get(before, "/Type", ""))
    if kind == "/Catalog":
        return "unseen" if _same_but(before, after, _CATALOGUE) else "altered"
    if kind == "/Page":
        return _annotated(before, after) if _same_but(before, after, _PAGE) else "altered"
    if kind in _STAYS or (isinstance(before, StreamObject) and kind != "/Metadata"):
        return "altered"
    return "unseen"


def _same_but(before: Any, after: Any, but: frozenset[str]) -> bool:
    if not isinstance(after, dict):
        return False
    keys = {*before, *after} - but
    return all(_flat(dict.get(before, key)) == _flat(dict.get(after, key)) for key in keys)


def _annotated(before: Any, after: Any) -> Change:
    """A page whose annotations alone changed: none may go, only signatures may come."""
    kept, now = ([*_annotations(page)] for page in (before, after))
    if any(each not in [flat for flat, _ in now] for each, _ in kept):
        return "altered"
    new = [annotation for flat, annotation in now if flat not in [each for each, _ in kept]]
    if any("/FT" not in each or each["/FT"] != "/Sig" for each in new):
        return "altered"
    return "shown" if any(_area(each) for each in new) else "unseen"


def _annotations(page: Any) -> Iterator[tuple[object, Any]]:
    annotations: Any = []
    if "/Annots" in page:  # by the key, which follows a reference as `get` does not
        annotations = page["/Annots"]
    for place in range(len(annotations)):
        raw = list.__getitem__(annotations, place)
        yield _flat(raw), annotations[place]


def _area(widget: Any) -> float:
    left, low, right, high = (float(side) for side in widget["/Rect"])
    return abs((right - left) * (high - low))


def _flat(value: Any) -> object:
    """A value for comparison, references by their numbers."""
    if isinstance(value, IndirectObject):
        return ("reference", value.idnum, value.generation)
    if isinstance(value, dict):
        return tuple(sorted((str(key), _flat(each)) for key, each in dict.items(value)))
    if isinstance(value, list):
        return tuple(_flat(each) for each in list.__iter__(value))
    return repr(value)
