"""The report: a case folder to a PDF or a web page that a reader can check against the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from audit.errors import OptionError

if TYPE_CHECKING:
    from audit.report.words import Words

Seal = Callable[[bytes, "tuple[int, float, float] | None", "Words"], bytes]
"""Signs a finished report, given the place to sign at and the words of its last language."""

KINDS = ("inspection", "self-check")
ENDINGS = {"pdf": (".pdf",), "html": (".html", ".htm")}
"""The formats of a report, and how their files are named."""

__all__ = ["ENDINGS", "KINDS", "check_report", "format_of", "render_html", "render_report"]


def render_report(
    case: Path,
    out: Path,
    *,
    lang: str | Sequence[str] = "en",
    kind: str = "inspection",
    seal: Seal | None = None,
) -> Path:
    """Render the report of ``case`` to the PDF file ``out``, in one language or several.

    ``lang`` is ``en``, ``zh-Hant`` or ``pt``, or several of them, one after the other in the
    file. ``kind`` is ``inspection`` or ``self-check``. The same case gives the same bytes; with
    ``seal``, which signs the finished file, a signature is added behind them.
    CaseError where ``case`` is no case, OptionError for an unknown word, ReportError where the
    libraries of the renderer are missing or ``out`` cannot be written.
    """
    from audit.outputs import write_whole
    from audit.report.gather import gathering
    from audit.report.words import words

    langs = _languages(lang, kind)
    check_report(out, "pdf")
    with gathering(case) as given:
        # Loaded while the other process reads the case.
        from audit.report.layout import renderer
        from audit.report.render import created, html, pdf

        renderer()
        content = given.facts()
        source, drawings = html(content, langs, kind)
        when = created(content)
        del content  # the layout needs all the memory there is
        made, finish = pdf(source, drawings, given.attachments(words(langs[0])), when)
    if seal is not None:
        made = seal(made, finish.place, words(langs[-1]))
    write_whole(out, made)
    return out


def render_html(
    case: Path, out: Path, *, lang: str | Sequence[str] = "en", kind: str = "inspection"
) -> Path:
    """Render the report of ``case`` to ``out`` as one web page: the PDF's twin, for any screen.

    Arguments and errors are those of ``render_report``; no library that draws a PDF is needed.
    """
    from audit.outputs import write_whole
    from audit.report.gather import gathering
    from audit.report.web import page
    from audit.report.words import words

    langs = _languages(lang, kind)
    check_report(out, "html")
    with gathering(case) as given:
        made = page(given.facts(), langs, kind, given.attachments(words(langs[0])))
    write_whole(out, made.encode("utf-8"))
    return out


def format_of(out: Path) -> str:
    """The format that the name of a file says; ``pdf`` where it says none that is known."""
    return "html" if out.suffix.lower() in ENDINGS["html"] else "pdf"


def check_report(out: Path, format_: str, *, spare: Iterable[Path | None] = ()) -> None:
    """OptionError where no report may be written at ``out``; see ``audit.outputs.check_file``."""
    from audit.outputs import check_file

    if format_ == "pdf":
        begins = b"%PDF"
    else:
        from audit.report.web import BEGINS as begins  # noqa: N811
    check_file(out, spare=spare, begins=begins, endings=ENDINGS[format_])


def _languages(lang: str | Sequence[str], kind: str) -> list[str]:
    """The languages asked for; OptionError where one of them, or ``kind``, is none of ours."""
    from audit.report.words import LANGS

    langs = [lang] if isinstance(lang, str) else list(lang)
    for one in langs:
        if one not in LANGS:
            raise OptionError(
                f"there is no report in language {one!r}", hint=f"Use one of {', '.join(LANGS)}"
            )
    if not langs or len(set(langs)) != len(langs):
        raise OptionError("each language can be given once", where="--lang")
    if kind not in KINDS:
        raise OptionError(f"{kind!r} is no kind of report", hint=f"Use {' or '.join(KINDS)}")
    return langs
