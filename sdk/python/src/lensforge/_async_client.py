"""The client of programs with asyncio. _client.py is written from this file by `npm run generate`."""

from __future__ import annotations

from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    Awaitable,
    Callable,
    Dict,
    List,
    Mapping,
    Optional,
    Set,
    Type,
    TypeVar,
)

import httpx

from . import _async_parts as parts
from ._async_methods import ApiKey, AsyncReply, AsyncTransport, seen_responses
from ._async_resources import AsyncExperimentsMethods, AsyncResources, AsyncRunsMethods
from ._requests import Options, Outgoing, read_json
from .errors import ConflictError

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    from . import shapes
    from .events import ExperimentEvent, RunEvent

    P = ParamSpec("P")

T = TypeVar("T")

Tools = Mapping[str, Callable[[Dict[str, Any]], Any]]


class AsyncRuns(AsyncRunsMethods):
    async def wait(
        self,
        run_id: str,
        *,
        on_event: Optional[Callable[[RunEvent], object]] = None,
        last_event_id: Optional[str] = None,
    ) -> shapes.PlatformRunStatus:
        """Follows a run to its end and reads it. A run that failed is returned, too: its status tells."""
        async for event in self.events(run_id, last_event_id=last_event_id):
            if on_event is not None:
                on_event(event)
        return await self.get(run_id)

    async def with_tools(
        self, run_id: str, tools: Tools, *, on_event: Optional[Callable[[RunEvent], object]] = None
    ) -> shapes.PlatformRunStatus:
        """Follows a run to its end like `wait`, and performs the tool calls that it waits for, those of an answer
        side by side."""
        answered: Set[str] = set()

        async def perform(call: shapes.RequiredCall) -> shapes.ToolResult:
            tool = tools.get(call["name"])
            if tool is None:
                return {"callId": call["callId"], "error": f"This caller has no tool {call['name']}"}
            try:
                return {"callId": call["callId"], "output": await parts.call(tool, call["input"])}
            except Exception as error:  # What a tool raises reaches the model as the reason.
                return {"callId": call["callId"], "error": str(error)[:10_000] or "The tool failed"}

        async for event in self.events(run_id):
            if on_event is not None:
                on_event(event)
            if event["eventType"] != "run.requires_action":
                continue
            action = (await self.get(run_id)).get("requiredAction")
            calls = [call for call in (action["calls"] if action else []) if call["callId"] not in answered]
            results = await parts.side_by_side(perform, calls)
            if results:
                await self._send_results(run_id, results)
            answered.update(call["callId"] for call in calls)
        return await self.get(run_id)

    async def _send_results(self, run_id: str, results: List[shapes.ToolResult]) -> None:
        """Another process may have answered some of the calls; then each of the others is sent alone."""
        try:
            await self.answer_tool_calls(run_id, {"results": results})
        except ConflictError:
            if len(results) > 1:
                for result in results:
                    await self._send_results(run_id, [result])


class AsyncExperiments(AsyncExperimentsMethods):
    async def wait(
        self, experiment_id: str, *, on_event: Optional[Callable[[ExperimentEvent], object]] = None
    ) -> shapes.Experiment:
        """Follows an experiment to its end and reads it with its verdict."""
        async for event in self.events(experiment_id):
            if on_event is not None:
                on_event(event)
        return await self.get(experiment_id)


class AsyncClient(AsyncResources):
    """The client of a platform: one member for each resource, with a method for each endpoint.

    `api_key` is a token or a function that returns the current one; LENSFORGE_API_KEY when absent. `base_url` is the
    address of the REST API; LENSFORGE_API_URL, or that of `npm start`, when absent. `timeout` is in seconds, for one
    attempt. `max_retries` are the attempts after the first, of requests that are safe to repeat.
    """

    runs: AsyncRuns
    experiments: AsyncExperiments

    def __init__(
        self,
        api_key: Optional[ApiKey] = None,
        *,
        base_url: Optional[str] = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._transport = AsyncTransport(api_key, base_url, timeout, max_retries, headers or {}, http_client)
        super().__init__(self._transport)
        self.runs = AsyncRuns(self._transport)
        self.experiments = AsyncExperiments(self._transport)

    async def request(self, method: str, path: str, body: Any = None, *, options: Options = Options()) -> Any:
        """Sends any request; the result is the `data` of its envelope, other JSON as it is, or the text of another
        type."""
        sent: Outgoing[Any] = Outgoing(method, path, body=body, repeatable=method == "GET", options=options)
        response = await self._transport.send(sent)
        kind = response.headers.get("content-type", "").partition(";")[0]
        if kind != "application/json" and not kind.endswith("+json"):
            return response.text or None
        answer = read_json(response.text, response.headers.get("x-request-id"))
        is_envelope = isinstance(answer, dict) and "data" in answer and "meta" in answer
        return answer["data"] if is_envelope else answer

    async def with_response(
        self, method: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> AsyncReply[T]:
        """The result of a method with its response: `client.with_response(client.lenses.get, id)`."""
        seen: List[httpx.Response] = []
        token = seen_responses.set(seen)
        try:
            return AsyncReply(await method(*args, **kwargs), seen[-1])
        finally:
            seen_responses.reset(token)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._transport.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.aclose()
