"""Makes tokens, table codes and seeds, and hashes tokens."""

import secrets
from hashlib import sha256

from hastilude.core.shuffles import MASTER_BYTES

CODE = "[a-z0-9]{4,12}"  # the form of a table's code
CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without letters that look alike
CODE_LENGTH = 8


class Sources:
    """The source of secrets; tests provide their own."""

    def token(self) -> str:
        return secrets.token_urlsafe(24)

    def code(self) -> str:
        number = secrets.randbelow(len(CODE_LETTERS) ** CODE_LENGTH)  # one call for all letters
        letters = []
        for _ in range(CODE_LENGTH):
            number, letter = divmod(number, len(CODE_LETTERS))
            letters.append(CODE_LETTERS[letter])
        return "".join(letters)

    def master(self) -> bytes:
        return secrets.token_bytes(MASTER_BYTES)

    def bot_seed(self) -> int:
        return secrets.randbits(63)


def key_of(token: str) -> str:
    """The hash of a token, which is all that is stored. A long random token needs no salt."""
    return sha256(token.encode()).hexdigest()
