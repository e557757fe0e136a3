"""Performs the calls of cases with Client or AsyncClient: each line of stdin is a case, each line of stdout its outcomes.

With an argument "async", it uses AsyncClient.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import sys
from typing import Any, Callable, Dict, List

from lensforge import AsyncClient, Client
from lensforge._requests import Options

IS_ASYNC = sys.argv[1:] == ["async"]


def divide(_: Any) -> None:
    raise ValueError("b is missing")


def add(numbers: Dict[str, Any]) -> Any:
    return numbers["a"] + numbers["b"]


async def add_later(numbers: Dict[str, Any]) -> Any:
    return add(numbers)


TOOLS: Dict[str, Callable[[Dict[str, Any]], Any]] = {"add": add_later if IS_ASYNC else add, "divide": divide}


def to_snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter.group().lower()}", name)


async def resolved(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def collected(items: Any) -> List[Any]:
    if IS_ASYNC:
        return [item async for item in items]
    return list(items)


async def perform(client: Any, do: str, args: List[Any], options: Dict[str, Any], way: str) -> Any:
    resource, _, name = do.partition(".")
    if name == "":
        return {"data": await resolved(client.request(*args, options=Options(**options)))}
    method = getattr(getattr(client, to_snake_case(resource)), to_snake_case(name))
    given = [*args, TOOLS] if do == "runs.withTools" else args
    if way == "response":
        reply = await resolved(client.with_response(method, *given, **options))
        return {"data": reply.data, "status": reply.response.status_code, "requestId": reply.request_id}
    if way == "items":
        return {"items": await collected(method(*given, **options))}
    if way == "pages":
        pages = []
        page = await resolved(method(*given, **options))
        while page is not None:
            pages.append({"items": page.items, "total": page.meta.get("total"), "hasNextPage": page.has_next_page})
            page = await resolved(page.next_page())
        return {"pages": pages}
    if way == "events":
        reconnects: List[str] = []
        events = await collected(
            method(*given, **options, on_reconnect=lambda error: reconnects.append(type(error).__name__))
        )
        return {"sequences": [event["sequence"] for event in events], "reconnects": reconnects}
    if way == "followed":
        sequences: List[int] = []
        data = await resolved(method(*given, **options, on_event=lambda event: sequences.append(event["sequence"])))
        return {"data": data, "sequences": sequences}
    result = await resolved(method(*given, **options))
    return {"text": result.text} if way == "file" else {"data": result}


async def outcome_of(client: Any, call: Dict[str, Any]) -> Any:
    options = {to_snake_case(name): value for name, value in call.get("options", {}).items()}
    try:
        return await perform(client, call["do"], call["args"], options, call.get("as", "data"))
    except Exception as error:
        names = ("status", "code", "details", "request_id", "retry_after")
        told = {re.sub("_([a-z])", lambda m: m.group(1).upper(), name): getattr(error, name, None) for name in names}
        told = {name: value for name, value in told.items() if value is not None}
        return {"error": {"name": type(error).__name__, "message": str(error), **told}}


async def main() -> None:
    for line in sys.stdin:
        case = json.loads(line)
        tokens: List[str] = case["tokens"]

        def next_token() -> str:
            return tokens.pop(0)

        key: Any = tokens[0] if len(tokens) == 1 else next_token
        client: Any = (AsyncClient if IS_ASYNC else Client)(key, base_url=case["url"])
        outcomes = [await outcome_of(client, call) for call in case["calls"]]
        await resolved(client.aclose() if IS_ASYNC else client.close())
        print(json.dumps(outcomes), flush=True)


asyncio.run(main())
