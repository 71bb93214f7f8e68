"""``baccarat-audit rules``: the rule sets, one in full, what an amendment changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from audit.cli.coverage import coverage

if TYPE_CHECKING:
    from audit.rulebook import Change, Instrument, Provision, Rulebook, RuleSet

app = typer.Typer(
    name="rules",
    help="The rule sets: which there are, one in full, what an amendment changed.",
    no_args_is_help=True,
)

RulesDir = Annotated[Path | None, typer.Option("--rules-dir", help="Folder of own rule sets.")]
Format = Annotated[
    Literal["text", "json"], typer.Option("--format", help="For people or programs.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Ids or keys only, one a line.")]


@app.command("list")
def list_rules(rules_dir: RulesDir = None, output: Format = "text", quiet: Quiet = False) -> None:
    """All rule sets with the days from which they bind, the acts that none of them holds, and
    the disputed texts with the readings that `run --interpret ID=READING` pins.

    Example: baccarat-audit rules list
    """
    book = _load(rules_dir)
    if output == "json":
        _json(
            {
                "rulesets": [_head(one) for one in book.sets],
                "later_acts": [_act(one) for one in book.later_acts],
                "interpretations": [
                    {
                        "id": one.id,
                        "article": one.article,
                        "question": one.question,
                        "default": one.default,
                        "readings": {reading: one.about[reading] for reading in one.readings},
                    }
                    for one in book.interpretations
                ],
            }
        )
    elif quiet:
        typer.echo("\n".join(one.id for one in book.sets))
    else:
        from audit.cli.rules_view import listing, show

        show(listing(book))


@app.command("show")
def show_rules(
    ruleset: Annotated[str, typer.Argument(metavar="ID", help="Rule set, such as 64-2007.")],
    rules_dir: RulesDir = None,
    output: Format = "text",
    quiet: Quiet = False,
) -> None:
    """One rule set in full, every value with its article and its mark.

    Example: baccarat-audit rules show 64-2007
    """
    rules = _load(rules_dir).get(ruleset)
    if output == "json":
        absent = [{"key": key, **_marks(one)} for key, one in rules.absent.items()]
        provisions = [_provision(one) for one in rules.provisions.values()]
        _json({**_head(rules), "provisions": provisions, "not_provided": absent})
    elif quiet:
        typer.echo("\n".join(rules.provisions))
    else:
        from audit.cli.rules_view import show, whole

        show(whole(rules))


@app.command("diff")
def diff_rules(
    older: Annotated[str, typer.Argument(metavar="ID", help="One rule set.")],
    newer: Annotated[str, typer.Argument(metavar="ID", help="Another, of whichever date.")],
    rules_dir: RulesDir = None,
    output: Format = "text",
    quiet: Quiet = False,
) -> None:
    """What the later of two rule sets changed of the earlier, article by article.

    Example: baccarat-audit rules diff 73-2005 30-2007
    """
    from audit.cli.rules_view import SIGNS, amendment, show

    book = _load(rules_dir)
    if book.get(newer).in_force_from < book.get(older).in_force_from:
        older, newer = newer, older  # an amendment repeals nothing of a later one
    changes = book.diff(older, newer)
    if output == "json":
        _json({"from": older, "to": newer, "changes": [_change(one) for one in changes]})
    elif quiet:
        typer.echo("\n".join(f"{SIGNS[one.kind]} {one.key}" for one in changes))
    else:
        show(amendment(book.get(older), book.get(newer), changes))


app.command("coverage")(coverage)


def _load(rules_dir: Path | None) -> Rulebook:
    from audit.rulebook import load_rulebook

    return load_rulebook(rules_dir)


def _json(data: Any) -> None:
    from decimal import Decimal

    def plain(value: object) -> object:
        # Odds and rates have two decimals at most, which JSON numbers carry unharmed.
        if isinstance(value, Decimal):
            return int(value) if value == value.to_integral_value() else float(value)
        return str(value)

    typer.echo(json.dumps(data, ensure_ascii=False, indent=2, default=plain))


def _act(act: Instrument) -> dict[str, Any]:
    dates = {
        what: {"value": one.value and str(one.value), "status": one.status, "note": one.note}
        for what in ("signed", "gazette", "published", "in_force")
        for one in (getattr(act, what),)
    }
    touches = list(act.touches)
    return {"id": act.id, "despacho": act.despacho, "touches": touches, **dates, "note": act.note}


def _head(rules: RuleSet) -> dict[str, Any]:
    return {
        "id": rules.id,
        "amends": rules.amends,
        "in_force_from": rules.in_force_from.isoformat(),
        "in_force_status": rules.in_force_status,
        "in_force_note": rules.in_force_note,
        "own": rules.own,
        "complete": rules.complete,
        "instrument": _act(rules.instrument),
        "capped": [
            {
                "from": cap.since.isoformat(),
                "articles": list(cap.articles),
                "checks": list(cap.checks),
            }
            for cap in rules.caps
        ],
    }


def _marks(one: Provision) -> dict[str, Any]:
    return {"article": one.article, "status": one.status, "note": one.note, "set_by": one.ruleset}


def _provision(one: Provision | None) -> dict[str, Any] | None:
    return None if one is None else {"key": one.key, "value": one.value, **_marks(one)}


def _change(one: Change) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "key": one.key,
        "old": _provision(one.old),
        "new": _provision(one.new),
        "article": one.article,
        "status": one.status,
        "note": one.note,
    }
