"""``report``: the report of a case, as a PDF or a web page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from audit.report import Seal
    from audit.report.words import Words


def report(
    case: Annotated[Path, typer.Argument(help="Folder of the case.")],
    file: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE.pdf|FILE.html", help="File to write."),
    ],
    lang: Annotated[
        str, typer.Option(metavar="LANG[,LANG]", help="en, zh-Hant, pt; several follow each other.")
    ] = "en",
    kind: Annotated[
        Literal["inspection", "self-check"], typer.Option(help="What the report is.")
    ] = "inspection",
    format_: Annotated[
        Literal["pdf", "html"] | None,
        typer.Option("--format", help="pdf, or one web page; else as the file's name says."),
    ] = None,
    sign: Annotated[
        Path | None,
        typer.Option(metavar="CERT.p12", help="Sign it with this certificate and key (PKCS#12)."),
    ] = None,
    sign_visible: Annotated[
        bool, typer.Option("--sign-visible", help="Show the signature on the last page.")
    ] = False,
    passphrase_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File with the passphrase of CERT.p12; else the variable "
            "BACCARAT_AUDIT_PASSPHRASE, else it is asked for.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Without the closing line.")] = False,
) -> None:
    """Render the report of a case as an archival PDF, the same bytes for the same case.

    A FILE.html becomes one web page with the same content, for any screen and without a script.

    Example: baccarat-audit report case -o report.pdf --lang zh-Hant,pt
    """
    from audit.cli.progress import stage
    from audit.errors import OptionError
    from audit.report import format_of, render_html, render_report

    html = (format_ or format_of(file)) == "html"
    if html and (sign is not None or sign_visible or passphrase_file is not None):
        raise OptionError(
            "only the PDF can be signed", where="--sign", hint="Write it: -o report.pdf"
        )
    seal = _seal(sign, passphrase_file, visible=sign_visible)
    languages = [one.strip() for one in lang.split(",") if one.strip()]
    with stage("Rendering the report", quiet=quiet):
        if html:
            render_html(case, file, lang=languages, kind=kind)
        else:
            render_report(case, file, lang=languages, kind=kind, seal=seal)
    if not quiet:
        typer.echo(f"Report written to {file}" + (", signed" if seal else ""))


def _seal(certificate: Path | None, passphrase: Path | None, *, visible: bool) -> Seal | None:
    """The signer, its key opened before the report is made; None where none is asked for."""
    from audit.errors import OptionError

    if certificate is None:
        if visible or passphrase is not None:
            option = "--sign-visible" if visible else "--passphrase-file"
            raise OptionError("there is nothing to sign with", where=option, hint="Add --sign")
        return None
    from audit.signing import need_signing

    need_signing("--sign")
    from audit.report.stamp import stamp
    from audit.signing.identity import load_identity
    from audit.signing.sign import signed

    identity = load_identity(certificate, passphrase)

    def seal(pdf: bytes, place: tuple[int, float, float] | None, words: Words) -> bytes:
        def draw(name: str, moment: str) -> bytes:
            return stamp(words, name, moment)

        return signed(pdf, identity, place, draw if visible else None)

    return seal
