"""What a request says, whichever client sends it."""

from __future__ import annotations

import json
import os
import random
import uuid
from dataclasses import dataclass, field
from typing import Any, Generic, Mapping, Optional, TypeVar
from urllib.parse import quote, urlencode

from .errors import ApiError, ConnectionError, TimeoutError

T = TypeVar("T")

VERSION = "0.2.0"
FIRST_DELAY = 0.5
MAX_DELAY = 8.0
MAX_RETRY_AFTER = 60.0
"""A longer Retry-After is left to the caller."""

RETRIED_STATUSES = frozenset({408, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Options:
    """Options of one call; what is absent comes from the client."""

    timeout: Optional[float] = None
    max_retries: Optional[int] = None
    headers: Mapping[str, str] = field(default_factory=dict)
    idempotency_key: Optional[str] = None


@dataclass(frozen=True)
class Outgoing(Generic[T]):
    """A request for a T. Its path has the query; `repeatable` means that another one has no further effect."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = False
    options: Options = Options()


def read_base_url(given: Optional[str]) -> str:
    return (given or os.environ.get("LENSFORGE_API_URL") or "http://127.0.0.1:4000").rstrip("/")


def to_segment(name: str, value: str) -> str:
    """An id in a path."""
    if not isinstance(value, str) or value == "":
        raise TypeError(f"{name} has to be a text that is not empty")
    return quote(value, safe="")


def _to_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def to_query(query: Optional[Mapping[str, Any]]) -> str:
    """The query of a request; lists are repeated parameters."""
    pairs = [
        (name, _to_text(each))
        for name, value in (query or {}).items()
        for each in (value if isinstance(value, (list, tuple)) else [value])
        if each is not None
    ]
    return f"?{urlencode(pairs)}" if pairs else ""


def _with_key(place: str, body: Any, key: str) -> Any:
    """The body with an idempotency key, which a caller may have chosen."""
    if place == "items" and isinstance(body.get("items"), (list, tuple)):
        items = [{"idempotencyKey": f"{key}-{at}", **item} for at, item in enumerate(body["items"])]
        return {**body, "items": items}
    return {"idempotencyKey": key, **body} if place == "body" else body


def build_request(
    method: str, path: str, given: Any = None, key: Optional[str] = None, options: Options = Options()
) -> Outgoing[T]:
    """A request with its query or body. `key` is the place of the idempotency key, or "none" if it needs none."""
    if method in ("GET", "DELETE"):
        return Outgoing(
            method, path + to_query(given), repeatable=method == "GET" or key is not None, options=options
        )
    value = options.idempotency_key or str(uuid.uuid4())
    return Outgoing(
        method,
        path,
        body=given if key is None else _with_key(key, given if given is not None else {}, value),
        headers={"idempotency-key": value} if key == "header" else {},
        repeatable=key is not None,
        options=options,
    )


def delay(attempt: int, error: Exception) -> float:
    """Seconds before an attempt: twice as long each time, with a jitter of a quarter, and at least Retry-After."""
    retry_after = (error.retry_after or 0.0) if isinstance(error, ApiError) else 0.0
    return max(retry_after, min(MAX_DELAY, FIRST_DELAY * 2.0**attempt) * random.uniform(0.75, 1.25))


def may_retry(error: Exception) -> bool:
    if isinstance(error, ApiError):
        return error.status in RETRIED_STATUSES and (error.retry_after or 0) <= MAX_RETRY_AFTER
    return isinstance(error, (ConnectionError, TimeoutError))


def may_reconnect(error: Exception) -> bool:
    if isinstance(error, ApiError):
        return error.status == 429 or error.status >= 500
    return isinstance(error, (ConnectionError, TimeoutError))


def read_json(text: str, request_id: Optional[str]) -> Any:
    if text == "":
        return None
    try:
        return json.loads(text)
    except ValueError as error:
        raise ConnectionError(
            "The answer is not JSON: check that base_url is the address of the REST API", request_id=request_id
        ) from error
