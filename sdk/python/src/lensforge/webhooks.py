"""Verifies deliveries of webhook endpoints."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Callable, Mapping, Sequence, Union, cast

from .errors import WebhookVerificationError

if TYPE_CHECKING:
    from .events import WebhookEvent


def verify(
    raw_body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Callable[[], float] = time.time,
) -> WebhookEvent:
    """The event of a delivery with a valid signature; raises a WebhookVerificationError otherwise.

    The body must be the bytes or text that arrived, not parsed JSON. With several secrets, one valid signature is enough.
    `tolerance` is the number of seconds that the clocks may differ, and the age of a delivery.
    """
    given = {name.lower(): value for name, value in headers.items()}
    delivery, sent_at, signatures = (
        _header(given, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    is_number = sent_at.isascii() and sent_at.isdigit() and len(sent_at) <= 12
    if not is_number or abs(now() - int(sent_at)) > tolerance:
        raise WebhookVerificationError("The delivery is too old or from the future: compare the clocks")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    signed = f"{delivery}.{sent_at}.".encode() + body
    for each in [secret] if isinstance(secret, str) else secret:
        if _is_signed(signed, signatures, each):
            return cast("WebhookEvent", json.loads(body))
    raise WebhookVerificationError(
        "No signature of the delivery is valid: compare the secret, and pass the raw body"
    )


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if value:
        return value
    raise WebhookVerificationError(f"The delivery has no header {name}: pass all of its headers")


def _is_signed(signed: bytes, signatures: str, secret: str) -> bool:
    try:
        key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise WebhookVerificationError("The secret is not valid: pass the text that begins with whsec_")
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures.split(" "))
