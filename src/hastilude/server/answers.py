"""HTTP refusals as JSON with a reason, and the headers of every answer."""

from fastapi.responses import JSONResponse

from hastilude.messages import Message
from hastilude.server import outbound
from hastilude.server.metrics import REFUSED
from hastilude.server.reasons import STATUS

HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        b"font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
        b"form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


def refusal(message: Message, status: int | None = None) -> JSONResponse:
    """An answer with the status of its reason, unless another status is given."""
    REFUSED.labels(message.key).inc()
    return JSONResponse(
        {"reason": outbound.sentence(message)}, status or STATUS.get(message.key, 400)
    )
