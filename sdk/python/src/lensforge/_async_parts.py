"""What differs between AsyncClient and Client; _sync_parts has the same names for the other one."""

from __future__ import annotations

import asyncio
import inspect
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Generic,
    Iterable,
    TypeVar,
    Union,
    cast,
)

if TYPE_CHECKING:
    from ._async_methods import AsyncPage

T = TypeVar("T")
R = TypeVar("R")


class ListCall(Generic[T]):
    """The result of a list: await it for the first page, or iterate over the items of all pages."""

    def __init__(self, read: Callable[[], Awaitable[AsyncPage[T]]]) -> None:
        self._read = read

    def __await__(self) -> Generator[Any, None, AsyncPage[T]]:
        return self._read().__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self._read():
            yield item


def start_list(read: Callable[[], Awaitable[AsyncPage[T]]]) -> ListCall[T]:
    return ListCall(read)


async def call(function: Callable[..., Union[R, Awaitable[R]]], *given: Any) -> R:
    """The result of a function that may be a coroutine function."""
    result = function(*given)
    return cast(R, await result if inspect.isawaitable(result) else result)


async def side_by_side(function: Callable[[T], Awaitable[R]], items: Iterable[T]) -> list[R]:
    return list(await asyncio.gather(*map(function, items)))


sleep = asyncio.sleep
