"""Certificates, keys and cases for signing, made as they are needed; none is kept here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    pkcs12,
)

from audit.pipeline import Job, run_audit
from tests.support import complete, hands

PASSPHRASE = "secret ünd 密"


@dataclass
class Identity:
    """A certificate with its key and the certificate of who issued it."""

    certificate: x509.Certificate
    key: Any
    issuer: x509.Certificate | None = None

    def p12(self, passphrase: str | None = PASSPHRASE) -> bytes:
        how = NoEncryption() if passphrase is None else BestAvailableEncryption(passphrase.encode())
        others = [self.issuer] if self.issuer else None
        return pkcs12.serialize_key_and_certificates(b"x", self.key, self.certificate, others, how)

    def pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)


def identity(
    name: str = "Chan Tai Man",
    *,
    issuer: Identity | None = None,
    days: tuple[int, int] = (-10, 365),
    authority: bool = False,
    strong: bool = False,
) -> Identity:
    """A new one, valid for ``days`` before and after today; RSA where ``strong``."""
    key = (
        rsa.generate_private_key(65537, 2048) if strong else ec.generate_private_key(ec.SECP256R1())
    )
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + timedelta(days=days[0]))
        .not_valid_after(now + timedelta(days=days[1]))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .sign(issuer.key if issuer else key, hashes.SHA256())
    )
    return Identity(made, key, issuer.certificate if issuer else None)


def case_of(folder: Path, *rounds: str) -> Path:
    log = folder / "log"
    log.mkdir(parents=True)
    text = complete("rounds.csv", hands("outcome:", *rounds))
    (log / "rounds.csv").write_text(text, encoding="utf-8")
    run_audit(Job(log=[log], case=folder / "case"))
    return folder / "case"


def trusted(who: Identity, folder: Path) -> list[Path]:
    (folder / "trust.pem").write_bytes(who.pem())
    return [folder / "trust.pem"]
