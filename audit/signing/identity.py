"""The signer's key and certificate, from a PKCS#12 file, checked before any work is done."""

from __future__ import annotations

import getpass
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.serialization import pkcs12
from pyhanko.sign import SimpleSigner

from audit.errors import OptionError
from audit.signing import VARIABLE
from audit.signing.names import day, named

MOST = 1 << 20
"""Bytes of a file of keys or of a passphrase; none is nearly as long."""


def load_identity(file: Path, passphrase_file: Path | None) -> SimpleSigner:
    """The signer in the PKCS#12 ``file``; OptionError where nothing can be signed with it.

    The passphrase is the first line of ``passphrase_file``, else the environment variable, else
    asked for on a terminal. It is never part of a message.
    """
    content = _read(file, "--sign")
    phrase = _open(content, file, _given(passphrase_file))
    try:
        signer: SimpleSigner = SimpleSigner.load_pkcs12_data(content, (), passphrase=phrase)
    except (ValueError, TypeError, AttributeError, NotImplementedError):
        raise OptionError(
            "there is no certificate with its private key in this file",
            where=str(file),
            hint="Export both together as PKCS#12",
        ) from None
    _in_time(signer, file)
    return signer


def _read(file: Path, option: str) -> bytes:
    if not file.is_file():
        raise OptionError("there is no such file", where=f"{option} {file}", hint="Check the path")
    if file.stat().st_size > MOST:
        raise OptionError("this is no such file: it is too long", where=f"{option} {file}")
    return file.read_bytes()


def _given(file: Path | None) -> bytes | None:
    """The passphrase where one was given in a file or the environment."""
    if file is not None:
        return _read(file, "--passphrase-file").split(b"\n", 1)[0].rstrip(b"\r")
    phrase = os.environ.get(VARIABLE)
    return None if phrase is None else phrase.encode()


def _open(content: bytes, file: Path, given: bytes | None) -> bytes | None:
    """The passphrase that opens the file; without one given, none and an empty one are tried."""
    tries: tuple[bytes | None, ...] = (None, b"") if given is None else (given,)
    for phrase in tries:
        if _opens(content, file, phrase):
            return phrase
    if given is None and sys.stdin.isatty():
        asked = getpass.getpass(f"Passphrase of {file}: ").encode()
        if _opens(content, file, asked):
            return asked
    elif given is None:
        raise OptionError(
            "this file needs its passphrase",
            where=str(file),
            hint=f"Put it into the variable {VARIABLE}, or name a file of it: --passphrase-file",
        )
    raise OptionError(
        "the passphrase is wrong", where=str(file), hint="Give the one it was exported with"
    )


def _opens(content: bytes, file: Path, phrase: bytes | None) -> bool:
    try:
        pkcs12.load_key_and_certificates(content, phrase)
    except ValueError as error:
        if "password" in str(error).lower():
            return False
        raise OptionError(
            "this is no PKCS#12 file, or it is damaged",
            where=str(file),
            hint="Export certificate and private key as PKCS#12 (.p12, .pfx)",
        ) from None
    return True


def _in_time(signer: SimpleSigner, file: Path) -> None:
    certificate = signer.signing_cert
    if certificate is None:
        raise OptionError("there is no certificate in this file", where=str(file))
    now = datetime.now(UTC)
    if now > certificate.not_valid_after:
        what = f"expired on {day(certificate.not_valid_after)}"
    elif now < certificate.not_valid_before:
        what = f"is not valid before {day(certificate.not_valid_before)}"
    else:
        return
    raise OptionError(
        f"the certificate of {named(certificate.subject)} {what}",
        where=str(file),
        hint="Sign with one that is valid today",
    )
