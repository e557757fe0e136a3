"""Reads server-sent events and lines from bytes, which may end anywhere."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

@dataclass
class Frame:
    id: str = ""
    event: str = ""
    data: str = ""


class LineReader:
    """Complete lines of a body; `rest` is what follows the last one."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.rest = ""

    def read(self, part: bytes) -> list[str]:
        # A carriage return at the end may be the first half of a line break.
        *lines, self.rest = re.split(r"\r\n|\n|\r(?!$)", self.rest + self._decode(part))
        return lines


class FrameReader:
    def __init__(self) -> None:
        self._lines = LineReader()
        self._frame = Frame()

    def read(self, part: bytes) -> list[Frame]:
        frames = []
        for line in self._lines.read(part):
            if line == "":
                if self._frame.data != "":
                    frames.append(self._frame)
                self._frame = Frame(id=self._frame.id)
                continue
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "data":
                self._frame.data += value if self._frame.data == "" else f"\n{value}"
            elif name == "id":
                self._frame.id = value
            elif name == "event":
                self._frame.event = value
        return frames
