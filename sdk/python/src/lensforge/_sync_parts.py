"""What differs between Client and AsyncClient; _async_parts has the same names for the other one."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable, Iterable, TypeVar

if TYPE_CHECKING:
    from ._methods import Page

    ListCall = Page

T = TypeVar("T")
R = TypeVar("R")


def start_list(read: Callable[[], Page[T]]) -> Page[T]:
    return read()


def call(function: Callable[..., R], *given: Any) -> R:
    return function(*given)


def side_by_side(function: Callable[[T], R], items: Iterable[T]) -> list[R]:
    given = list(items)
    with ThreadPoolExecutor(max_workers=max(1, min(len(given), 16))) as pool:
        return list(pool.map(function, given))


sleep = time.sleep
