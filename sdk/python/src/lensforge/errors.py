"""The errors that calls raise."""

from __future__ import annotations

import builtins
import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Mapping, Optional


class LensforgeError(Exception):
    """An error of this client. `request_id` identifies the request in the logs of the platform, if it got an answer."""

    def __init__(self, message: str, *, request_id: Optional[str] = None) -> None:
        super().__init__(message)
        self.message = message
        self.request_id = request_id


class ConnectionError(LensforgeError, builtins.ConnectionError):  # noqa: A001
    """The platform could not be reached, or the connection was lost."""


class TimeoutError(LensforgeError, builtins.TimeoutError):  # noqa: A001
    """No answer within the time-out of the request."""


class WebhookVerificationError(LensforgeError):
    """A webhook delivery without a valid signature."""


class ApiError(LensforgeError):
    """The platform refused the request."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        details: Any = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message, request_id=request_id)
        self.status = status
        self.code = code
        self.details = details
        self.retry_after = retry_after
        """Seconds to wait, from the header Retry-After."""


class InvalidRequestError(ApiError):
    pass


class UnauthorizedError(ApiError):
    pass


class InsufficientScopeError(ApiError):
    pass


class ForbiddenError(ApiError):
    pass


class NotFoundError(ApiError):
    pass


class MethodNotAllowedError(ApiError):
    pass


class ConflictError(ApiError):
    pass


class IdempotencyKeyReusedError(ApiError):
    pass


class InsufficientCreditsError(ApiError):
    pass


class PayloadTooLargeError(ApiError):
    pass


class UnsupportedMediaTypeError(ApiError):
    pass


class UnprocessableParamsError(ApiError):
    pass


class RateLimitedError(ApiError):
    pass


class InternalServerError(ApiError):
    pass


class ServiceUnavailableError(ApiError):
    pass


class PartnerError(ApiError):
    pass


by_code: Mapping[str, type[ApiError]] = {
    "invalid_request": InvalidRequestError,
    "unauthorized": UnauthorizedError,
    "insufficient_scope": InsufficientScopeError,
    "forbidden": ForbiddenError,
    "not_found": NotFoundError,
    "method_not_allowed": MethodNotAllowedError,
    "conflict": ConflictError,
    "idempotency_key_reused": IdempotencyKeyReusedError,
    "insufficient_credits": InsufficientCreditsError,
    "payload_too_large": PayloadTooLargeError,
    "unsupported_media_type": UnsupportedMediaTypeError,
    "unprocessable_params": UnprocessableParamsError,
    "rate_limited": RateLimitedError,
    "internal_error": InternalServerError,
    "service_unavailable": ServiceUnavailableError,
    "partner_error": PartnerError,
}


def _to_code(status: int) -> str:
    """Codes for answers without a known one, such as those of a proxy."""
    known = {401: "unauthorized", 403: "forbidden", 404: "not_found", 429: "rate_limited"}
    if status in known:
        return known[status]
    if status >= 502:
        return "service_unavailable"
    return "internal_error" if status >= 500 else "invalid_request"


def read_retry_after(value: Optional[str]) -> Optional[float]:
    """Seconds to wait, from a header in seconds or as a date."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        at = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())


def _members(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(*values: Any) -> Optional[str]:
    return next((value for value in values if isinstance(value, str)), None)


def to_api_error(status: int, headers: Mapping[str, str], text: str) -> ApiError:
    """The error of an answer with a status of 300 and more."""
    try:
        body = _members(json.loads(text))
    except ValueError:
        body = {}
    error = _members(body.get("error"))
    code = _text(error.get("code")) or ""
    if code not in by_code:
        code = _to_code(status)
    silent = f"The server answered with the status {status} and no explanation"
    return by_code[code](
        _text(error.get("message"), body.get("reason")) or silent,
        status=status,
        code=code,
        details=error.get("details"),
        request_id=_text(_members(body.get("meta")).get("requestId"), headers.get("x-request-id")),
        retry_after=read_retry_after(headers.get("retry-after")),
    )
