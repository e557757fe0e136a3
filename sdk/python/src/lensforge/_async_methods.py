"""The base of the methods of AsyncClient. _methods.py is written from this file by `npm run generate`."""

from __future__ import annotations

import os
from contextvars import ContextVar
from dataclasses import dataclass
from typing import (
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Generic,
    List,
    Mapping,
    Optional,
    TypeVar,
    Union,
    cast,
)

import httpx

from . import _async_parts as parts
from ._frames import FrameReader, LineReader
from ._requests import (
    VERSION,
    Options,
    Outgoing,
    build_request,
    delay,
    may_reconnect,
    may_retry,
    read_base_url,
    read_json,
)
from .errors import ConnectionError, LensforgeError, TimeoutError, to_api_error

T = TypeVar("T")

ApiKey = Union[str, Callable[[], Awaitable[Optional[str]]], Callable[[], Optional[str]]]

seen_responses: ContextVar[Optional[List[httpx.Response]]] = ContextVar("lensforge_responses", default=None)
"""The responses that with_response has asked for."""


@dataclass(frozen=True)
class AsyncReply(Generic[T]):
    """A result with its response and the id of the request."""

    data: T
    response: httpx.Response

    @property
    def request_id(self) -> Optional[str]:
        return cast(Optional[str], self.response.headers.get("x-request-id"))


class AsyncPage(Generic[T]):
    """One page of a list; a loop over it goes through the items of all following pages, too."""

    def __init__(
        self, items: List[T], meta: Mapping[str, Any], read: Callable[[str], Awaitable[AsyncPage[T]]]
    ) -> None:
        self.items = items
        self.meta = meta
        self._read = read

    @property
    def has_next_page(self) -> bool:
        return self.meta.get("nextCursor") is not None

    async def next_page(self) -> Optional[AsyncPage[T]]:
        """Requests the next page; None on the last one."""
        cursor = self.meta.get("nextCursor")
        return None if cursor is None else await self._read(cursor)

    async def __aiter__(self) -> AsyncIterator[T]:
        page: Optional[AsyncPage[T]] = self
        while page is not None:
            for item in page.items:
                yield item
            page = await page.next_page()


class AsyncTransport:
    """Sends requests with the credential of a client."""

    def __init__(
        self,
        api_key: Optional[ApiKey],
        base_url: Optional[str],
        timeout: float,
        max_retries: int,
        headers: Mapping[str, str],
        http_client: Optional[httpx.AsyncClient],
    ) -> None:
        self._api_key = api_key or os.environ.get("LENSFORGE_API_KEY")
        self._base_url = read_base_url(base_url)
        self._timeout = timeout
        self._max_retries = max_retries
        agent = f"lensforge-python/{VERSION}"
        self._headers = {"accept": "application/json", "user-agent": agent, **headers}
        self._http = http_client or httpx.AsyncClient()

    async def aclose(self) -> None:
        await self._http.aclose()

    async def send(self, request: Outgoing[Any], idle_timeout: Optional[float] = None) -> httpx.Response:
        """The answer to a request; raises an ApiError for a status of 400 and more. With an idle time-out the
        caller reads the body and closes the response."""
        own = request.options.max_retries
        retries = (self._max_retries if own is None else own) if request.repeatable else 0
        attempt = 0
        while True:
            try:
                return await self._attempt(request, idle_timeout)
            except LensforgeError as error:
                if attempt >= retries or not may_retry(error):
                    raise
                await parts.sleep(delay(attempt, error))
            attempt += 1

    async def _attempt(self, request: Outgoing[Any], idle_timeout: Optional[float]) -> httpx.Response:
        options = request.options
        timeout = self._timeout if options.timeout is None else options.timeout
        token = self._api_key
        if token is not None and not isinstance(token, str):
            token = await parts.call(token)
        sent = self._http.build_request(
            request.method,
            self._base_url + request.path,
            headers={
                **self._headers,
                **({"authorization": f"Bearer {token}"} if token else {}),
                **request.headers,
                **options.headers,
            },
            json=request.body,
            timeout=httpx.Timeout(timeout, read=idle_timeout or timeout),
        )
        try:
            response = await self._http.send(sent, stream=True, follow_redirects=False)
            if idle_timeout is None or response.status_code >= 300:
                await response.aread()
                await response.aclose()
        except httpx.TimeoutException as error:
            message = f"{request.method} {request.path} got no answer within {timeout:g} s"
            raise TimeoutError(message) from error
        except httpx.HTTPError as error:
            cause = str(error) or type(error).__name__
            raise ConnectionError(f"{self._base_url} cannot be reached: {cause}") from error
        if response.is_redirect:
            raise ConnectionError(f"{self._base_url} redirects: pass the address to which it does as base_url")
        if response.status_code >= 400:
            raise to_api_error(response.status_code, response.headers, response.text)
        seen = seen_responses.get()
        if seen is not None:
            seen.append(response)
        return response


class AsyncMethods:
    """The base of resources: what their methods do with an answer."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def _answer(self, request: Outgoing[Any]) -> Any:
        response = await self._transport.send(request)
        return read_json(response.text, response.headers.get("x-request-id"))

    async def _plain(self, request: Outgoing[T]) -> T:
        return cast(T, await self._answer(request))

    async def _one(self, request: Outgoing[T]) -> T:
        answer = await self._answer(request)
        return cast(T, answer["data"] if isinstance(answer, dict) else answer)

    async def _page(
        self, method: str, path: str, query: Optional[Mapping[str, Any]], options: Options
    ) -> AsyncPage[T]:
        request: Outgoing[Any] = build_request(method, path, query, options=options)
        answer = await self._answer(request)

        async def read(cursor: str) -> AsyncPage[T]:
            filters = {name: value for name, value in (query or {}).items() if name != "offset"}
            return await self._page(method, path, {**filters, "cursor": cursor}, options)

        return AsyncPage(answer["data"], answer["meta"], read)

    async def _file(self, request: Outgoing[Any]) -> httpx.Response:
        return await self._transport.send(request)

    async def _lines(self, request: Outgoing[T]) -> AsyncIterator[T]:
        response = await self._transport.send(request, idle_timeout=60)
        reader = LineReader()
        try:
            async for part in response.aiter_bytes():
                for line in reader.read(part):
                    if line != "":
                        yield read_json(line, None)
            if reader.rest != "":
                yield read_json(reader.rest, None)
        except httpx.HTTPError as error:
            raise ConnectionError("The download was cut: request it again") from error
        finally:
            await response.aclose()

    async def _events(
        self,
        path: str,
        query: Optional[Mapping[str, Any]],
        last_event_id: Optional[str],
        max_reconnects: int,
        idle_timeout: float,
        on_reconnect: Optional[Callable[[LensforgeError], object]],
        headers: Optional[Mapping[str, str]],
    ) -> AsyncIterator[T]:
        """The events of a log in order. A lost connection is opened again after the last event; the end of the log
        ends it."""
        last = last_event_id
        failures = 0
        while True:
            resumed = {} if last is None else {"last-event-id": last}
            options = Options(max_retries=0, headers={"accept": "text/event-stream", **resumed, **(headers or {})})
            try:
                request: Outgoing[Any] = build_request("GET", path, query, options=options)
                response = await self._transport.send(request, idle_timeout)
                reader = FrameReader()
                try:
                    # Nothing follows the last event that was seen.
                    if response.status_code == 204:
                        return
                    async for part in response.aiter_bytes():
                        for frame in reader.read(part):
                            failures = 0
                            if frame.event == "done":
                                return
                            last = frame.id or last
                            yield cast(T, {**read_json(frame.data, None), "id": frame.id})
                finally:
                    await response.aclose()
                raise ConnectionError("The event stream ended before the last event")
            except (LensforgeError, httpx.HTTPError) as error:
                reason = error if isinstance(error, LensforgeError) else _to_cut(error, idle_timeout)
                if failures >= max_reconnects or not may_reconnect(reason):
                    raise reason from (None if reason is error else error)
                if on_reconnect is not None:
                    on_reconnect(reason)
            await parts.sleep(delay(min(failures, 5), reason))
            failures += 1


def _to_cut(error: httpx.HTTPError, idle_timeout: float) -> ConnectionError:
    if isinstance(error, httpx.TimeoutException):
        return ConnectionError(f"No data arrived for {idle_timeout:g} s")
    return ConnectionError("The event stream was cut")
