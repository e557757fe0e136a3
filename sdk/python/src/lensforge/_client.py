"""The same as _client.py, without asyncio. Written by `npm run generate` from that module."""

from __future__ import annotations

from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
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

from . import _sync_parts as parts
from ._methods import ApiKey, Reply, Transport, seen_responses
from ._resources import ExperimentsMethods, Resources, RunsMethods
from ._requests import Options, Outgoing, read_json
from .errors import ConflictError

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    from . import shapes
    from .events import ExperimentEvent, RunEvent

    P = ParamSpec("P")

T = TypeVar("T")

Tools = Mapping[str, Callable[[Dict[str, Any]], Any]]


class Runs(RunsMethods):
    def wait(
        self,
        run_id: str,
        *,
        on_event: Optional[Callable[[RunEvent], object]] = None,
        last_event_id: Optional[str] = None,
    ) -> shapes.PlatformRunStatus:
        """Follows a run to its end and reads it. A run that failed is returned, too: its status tells."""
        for event in self.events(run_id, last_event_id=last_event_id):
            if on_event is not None:
                on_event(event)
        return self.get(run_id)

    def with_tools(
        self, run_id: str, tools: Tools, *, on_event: Optional[Callable[[RunEvent], object]] = None
    ) -> shapes.PlatformRunStatus:
        """Follows a run to its end like `wait`, and performs the tool calls that it waits for, those of an answer
        side by side."""
        answered: Set[str] = set()

        def perform(call: shapes.RequiredCall) -> shapes.ToolResult:
            tool = tools.get(call["name"])
            if tool is None:
                return {"callId": call["callId"], "error": f"This caller has no tool {call['name']}"}
            try:
                return {"callId": call["callId"], "output": parts.call(tool, call["input"])}
            except Exception as error:  # What a tool raises reaches the model as the reason.
                return {"callId": call["callId"], "error": str(error)[:10_000] or "The tool failed"}

        for event in self.events(run_id):
            if on_event is not None:
                on_event(event)
            if event["eventType"] != "run.requires_action":
                continue
            action = (self.get(run_id)).get("requiredAction")
            calls = [call for call in (action["calls"] if action else []) if call["callId"] not in answered]
            results = parts.side_by_side(perform, calls)
            if results:
                self._send_results(run_id, results)
            answered.update(call["callId"] for call in calls)
        return self.get(run_id)

    def _send_results(self, run_id: str, results: List[shapes.ToolResult]) -> None:
        """Another process may have answered some of the calls; then each of the others is sent alone."""
        try:
            self.answer_tool_calls(run_id, {"results": results})
        except ConflictError:
            if len(results) > 1:
                for result in results:
                    self._send_results(run_id, [result])


class Experiments(ExperimentsMethods):
    def wait(
        self, experiment_id: str, *, on_event: Optional[Callable[[ExperimentEvent], object]] = None
    ) -> shapes.Experiment:
        """Follows an experiment to its end and reads it with its verdict."""
        for event in self.events(experiment_id):
            if on_event is not None:
                on_event(event)
        return self.get(experiment_id)


class Client(Resources):
    """The client of a platform: one member for each resource, with a method for each endpoint.

    `api_key` is a token or a function that returns the current one; LENSFORGE_API_KEY when absent. `base_url` is the
    address of the REST API; LENSFORGE_API_URL, or that of `npm start`, when absent. `timeout` is in seconds, for one
    attempt. `max_retries` are the attempts after the first, of requests that are safe to repeat.
    """

    runs: Runs
    experiments: Experiments

    def __init__(
        self,
        api_key: Optional[ApiKey] = None,
        *,
        base_url: Optional[str] = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._transport = Transport(api_key, base_url, timeout, max_retries, headers or {}, http_client)
        super().__init__(self._transport)
        self.runs = Runs(self._transport)
        self.experiments = Experiments(self._transport)

    def request(self, method: str, path: str, body: Any = None, *, options: Options = Options()) -> Any:
        """Sends any request; the result is the `data` of its envelope, other JSON as it is, or the text of another
        type."""
        sent: Outgoing[Any] = Outgoing(method, path, body=body, repeatable=method == "GET", options=options)
        response = self._transport.send(sent)
        kind = response.headers.get("content-type", "").partition(";")[0]
        if kind != "application/json" and not kind.endswith("+json"):
            return response.text or None
        answer = read_json(response.text, response.headers.get("x-request-id"))
        is_envelope = isinstance(answer, dict) and "data" in answer and "meta" in answer
        return answer["data"] if is_envelope else answer

    def with_response(
        self, method: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> Reply[T]:
        """The result of a method with its response: `client.with_response(client.lenses.get, id)`."""
        seen: List[httpx.Response] = []
        token = seen_responses.set(seen)
        try:
            return Reply(method(*args, **kwargs), seen[-1])
        finally:
            seen_responses.reset(token)

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()
