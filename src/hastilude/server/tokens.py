"""Tokens, table codes and seeds: where they come from, and what is kept of a token."""

import secrets
from hashlib import sha256

from hastilude.core.shuffles import MASTER_BYTES

CODE = "[a-z0-9]{4,12}"  # the form of a table's code
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
CODE_LENGTH = 8


class Sources:
    """Where secrets come from; tests put in their own."""

    def token(self) -> str:
        return secrets.token_urlsafe(24)

    def code(self) -> str:
        return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))

    def master(self) -> bytes:
        return secrets.token_bytes(MASTER_BYTES)

    def bot_seed(self) -> int:
        return secrets.randbits(63)


def key_of(token: str) -> str:
    """What is kept of a token: its hash. Tokens are long and random, so no salt is needed."""
    return sha256(token.encode()).hexdigest()
