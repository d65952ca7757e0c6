"""`hastilude verify`: check the rules and shuffles of a record."""
# ruff: noqa: PLC0415  # see cli/__init__.py

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from hastilude.cli.base import AsJson, InLanguage, app, print_json, say, sentence, spoken
from hastilude.core.errors import RecordError
from hastilude.messages import Message

if TYPE_CHECKING:
    from hastilude.core.match import Match
    from hastilude.core.record import Record

NOT_SHOWN = 1  # exit code if the rules or shuffles are wrong, or nothing proves them right


class Finding(NamedTuple):
    match: Match | None  # None: the record breaks the rules
    problem: Message | None  # None: rules and shuffles hold


@app.command(epilog="Example: hastilude verify table.jsonl")
def verify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A record, or several: one per line.")
    ],
    as_json: AsJson = False,
    language: InLanguage = None,
) -> None:
    """Check the rules and the shuffles of a record. The exit code is 1 if either check fails."""
    from hastilude.core.record import load_all

    records = list(load_all(file))
    if not records:
        raise RecordError.of("cli_no_match", path=str(file))
    findings = [examine(record) for record in records]
    for number, (record, finding) in enumerate(zip(records, findings, strict=True), start=1):
        if as_json:
            print_as_json(number, record, finding)
            continue
        if len(records) > 1:
            print(sentence("cli_match", number=number, count=len(records)))
        print_as_sentences(record, finding)
    if any(problem for _, problem in findings):
        raise typer.Exit(NOT_SHOWN)


def examine(record: Record) -> Finding:
    """Check the rules first: they say which cards each chance event had to shuffle."""
    from hastilude.core.shuffles import verify_shuffles
    from hastilude.games.registry import replay

    match = None
    try:
        match = replay(record)
        if record.proof is None:
            return Finding(match, Message("cli_verify_no_proof"))
        verify_shuffles(match, record.proof)
    except RecordError as error:
        return Finding(match, error.message)
    return Finding(match, None)


def print_as_json(number: int, record: Record, finding: Finding) -> None:
    match, problem = finding
    proof = (record.proof or {}) if problem is None else {}
    print_json(
        {
            "match": number,
            "rules": match is not None,
            "shuffles": problem is None,
            "problem": problem and say(problem),
            "commitment": proof.get("commitment"),
            "seeds": proof.get("seeds"),
        }
    )


def print_as_sentences(record: Record, finding: Finding) -> None:
    match, problem = finding
    if match:
        version, title = match.game.rules_version, match.game.title
        print(sentence("cli_verify_rules", count=len(match.steps), title=title, version=version))
        if not match.over:
            print(sentence("cli_unfinished"))
    if problem:
        print(say(problem))
    elif match and record.proof:
        print_shuffles(record.proof, match.game.names(spoken.get(), record.names or ()))


def print_shuffles(proof: dict[str, Any], names: Sequence[str]) -> None:
    """Print what was checked, what only the reader can check, and what follows from it."""
    seeds = proof["seeds"]
    print(sentence("cli_verify_shuffles", count=len(proof["events"]), table=proof["table"]))
    print(sentence("cli_verify_commitment", commitment=proof["commitment"]))
    for seat, seed in enumerate(seeds):
        key = "cli_verify_seed" if seed else "cli_verify_no_seed"
        print(say(Message(key, {"seat": seat, "seed": seed}), names))
    if any(seeds):
        print(sentence("cli_verify_shown"))
        print(sentence("cli_verify_not_shown"))
    else:
        print(sentence("cli_verify_host_alone"))
