"""The client of the Lensforge REST API."""

from . import webhooks
from ._async_client import AsyncClient
from ._async_methods import AsyncPage, AsyncReply
from ._async_parts import ListCall
from ._client import Client
from ._methods import Page, Reply
from ._requests import VERSION as __version__
from ._requests import Options
from .errors import (
    ApiError,
    ConflictError,
    ConnectionError,
    ForbiddenError,
    IdempotencyKeyReusedError,
    InsufficientCreditsError,
    InsufficientScopeError,
    InternalServerError,
    InvalidRequestError,
    LensforgeError,
    MethodNotAllowedError,
    NotFoundError,
    PartnerError,
    PayloadTooLargeError,
    RateLimitedError,
    ServiceUnavailableError,
    TimeoutError,
    UnauthorizedError,
    UnprocessableParamsError,
    UnsupportedMediaTypeError,
    WebhookVerificationError,
)

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncPage",
    "AsyncReply",
    "Client",
    "ConflictError",
    "ConnectionError",
    "ForbiddenError",
    "IdempotencyKeyReusedError",
    "InsufficientCreditsError",
    "InsufficientScopeError",
    "InternalServerError",
    "InvalidRequestError",
    "LensforgeError",
    "ListCall",
    "MethodNotAllowedError",
    "NotFoundError",
    "Options",
    "Page",
    "PartnerError",
    "PayloadTooLargeError",
    "RateLimitedError",
    "Reply",
    "ServiceUnavailableError",
    "TimeoutError",
    "UnauthorizedError",
    "UnprocessableParamsError",
    "UnsupportedMediaTypeError",
    "WebhookVerificationError",
    "__version__",
    "webhooks",
]
