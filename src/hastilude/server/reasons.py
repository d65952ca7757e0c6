"""The HTTP status and the WebSocket close code of each reason."""

from typing import NamedTuple


class Codes(NamedTuple):
    """A reason that is not listed is a bad request over HTTP and closes no connection."""

    http: int | None = None
    close: int | None = None


REASONS = {
    # The request
    "bad_frame": Codes(close=4400),
    "hello_first": Codes(close=4400),
    "hello_late": Codes(close=4408),
    "request_form": Codes(422),
    "body_large": Codes(413),
    "page_unknown": Codes(404),
    # Who asks
    "origin_refused": Codes(close=4403),
    "token_unknown": Codes(close=4401),
    "watch_refused": Codes(403, 4403),
    "seat_lost": Codes(close=4410),
    # The table
    "table_unknown": Codes(404, 4404),
    "match_unknown": Codes(404),
    "lesson_missing": Codes(404),
    "puzzle_unknown": Codes(404),
    "puzzle_none_left": Codes(404),
    "puzzles_none": Codes(404),
    "match_not_over": Codes(409),
    "review_unfinished": Codes(409),
    "table_full": Codes(409),
    "table_closed": Codes(409, 4410),
    "seat_taken": Codes(409),
    "name_taken": Codes(409),
    "script_taken": Codes(409),
    # Limits
    "too_many": Codes(429, 4429),
    "too_many_guesses": Codes(429, 4429),
    "too_many_tables": Codes(429),
    "too_many_champions": Codes(429),
    "too_many_reviews": Codes(429),
    "reviews_full": Codes(429),
    "too_slow": Codes(close=4429),
    # The server
    "closing": Codes(close=1001),
    "failed": Codes(500, 1011),
    "store_away": Codes(503, 1001),
    "store_damaged": Codes(503, 1011),
}
STATUS = {key: codes.http for key, codes in REASONS.items() if codes.http}
CLOSE_CODES = {key: codes.close for key, codes in REASONS.items() if codes.close}
