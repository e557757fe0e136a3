import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Endpoint, platformEvents } from '@lensforge/contracts';
import { docstring, pythonShapes, toPythonName } from './python-shapes.js';
import {
  type Events,
  byMember,
  describeInput,
  keyFlag,
  listParameters,
  logs,
  otherShapes,
  streamEvents,
} from './sdk.js';
import { toInterfaceName, toMethodName } from './sdk-names.js';

const written = 'Written by `npm run generate` from the endpoint table of libs/contracts.';

/** The places of the idempotency key in the words of the module _requests. */
const places: Readonly<Record<string, string>> = { k: '"body"', b: '"items"', h: '"header"', r: '"none"' };

const callOptions = [
  'timeout: Optional[float] = None',
  'max_retries: Optional[int] = None',
  'headers: Optional[Mapping[str, str]] = None',
];
const streamOptions = [
  'last_event_id: Optional[str] = None',
  'max_reconnects: int = 10',
  'idle_timeout: float = 45.0',
  'on_reconnect: Optional[Callable[[LensforgeError], object]] = None',
  'headers: Optional[Mapping[str, str]] = None',
];

/** The type that a method returns, and the helper of AsyncMethods that makes it. */
function describeResult({ path, replies, reply, fileTypes }: Endpoint): { type: string; helper: string } {
  const item = reply ? `shapes.${reply.name}` : 'Any';
  if (replies === 'event-stream') return { type: `AsyncIterator[${streamEvents[path] ?? 'Any'}]`, helper: '_events' };
  if (replies === 'lines') return { type: `AsyncIterator[${item}]`, helper: '_lines' };
  if (replies === 'list') return { type: `parts.ListCall[${item}]`, helper: '_page' };
  if (fileTypes) return { type: 'httpx.Response', helper: '_file' };
  return { type: item, helper: replies === 'plain' ? '_plain' : '_one' };
}

function writeMethod(row: Endpoint): string {
  const input = describeInput(row);
  const ids = listParameters(row);
  const key = keyFlag(row);
  const { type, helper } = describeResult(row);
  const keyOption = key !== '' && key !== 'r' ? ['idempotency_key: Optional[str] = None'] : [];
  const inputType = input && (input.type === 'unknown' ? 'Any' : `shapes.${input.type}`);
  const parameters = [
    'self',
    ...ids.map((name) => `${toPythonName(name)}: str`),
    ...(input ? [`${input.name}: ${input.optional ? `Optional[${inputType}] = None` : inputType}`] : []),
    '*',
    ...(helper === '_events' ? streamOptions : [...keyOption, ...callOptions]),
  ];
  const segments = row.path.replaceAll(/\{(\w+)\}/g, (_, id: string) => {
    const name = toPythonName(id);
    return `{to_segment('${name}', ${name})}`;
  });
  const path = `${ids.length > 0 ? 'f' : ''}"${segments}"`;
  const given = input?.name ?? 'None';
  const query = input ? `cast("Optional[Mapping[str, Any]]", ${given})` : given;
  const options = `Options(timeout, max_retries, headers or {}${keyOption.length > 0 ? ', idempotency_key' : ''})`;
  const request = `build_request("${row.method}", ${path}, ${given}, ${places[key] ?? 'None'}, ${options})`;
  const isAwaited = ['_one', '_plain', '_file'].includes(helper);
  const results: Readonly<Record<string, string>> = {
    _events: `self._events(${path}, ${query}, last_event_id, max_reconnects, idle_timeout, on_reconnect, headers)`,
    _page: `parts.start_list(lambda: self._page("${row.method}", ${path}, ${query}, ${options}))`,
  };
  const result = results[helper] ?? `${isAwaited ? 'await ' : ''}self.${helper}(${request})`;
  return [
    `    ${isAwaited ? 'async ' : ''}def ${toPythonName(toMethodName(row))}(\n`,
    ...parameters.map((each) => `        ${each},\n`),
    `    ) -> ${type}:\n`,
    docstring(`${row.summary}. ${row.description}`, '        '),
    `        return ${result}\n`,
  ].join('');
}

function writeResources(): string {
  const groups = [...byMember()];
  const classes = groups.map(
    ([member, group]) => `class Async${toInterfaceName(member)}(AsyncMethods):\n${group.map(writeMethod).join('\n')}`,
  );
  const members = groups.map(
    ([member]) => `        self.${toPythonName(member)} = Async${toInterfaceName(member)}(transport)\n`,
  );
  return `"""The methods of AsyncClient, by resource. ${written}"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Mapping, Optional, cast

import httpx

from . import _async_parts as parts
from ._async_methods import AsyncMethods, AsyncTransport
from ._requests import Options, build_request, to_segment
from .errors import LensforgeError

if TYPE_CHECKING:
    from . import shapes
    from .events import ${[...new Set(Object.values(streamEvents))].sort().join(', ')}


${classes.join('\n\n')}

class AsyncResources:
    def __init__(self, transport: AsyncTransport) -> None:
${members.join('')}`;
}

/** The ids that the events of a log have. */
const idsOf: Readonly<Record<string, string>> = {
  RunEventPayloads: 'runId: str',
  BattleEventPayloads: 'battleId: str',
  ExperimentEventPayloads: 'experimentId: str',
  AgentEventPayloads: 'aiLenserId: str\n    runId: NotRequired[str | None]',
  ThreadEventPayloads: 'threadId: str',
};

const toClassName = (prefix: string, type: string): string =>
  [prefix, ...type.split(/[._-]/)].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');

/** A class for each event, and their union. */
function writeUnion(name: string, base: string, events: Events, [typeMember, dataMember]: [string, string]): string {
  const classes = Object.entries(events).map(
    ([type, shape]) =>
      `class ${toClassName(name, type)}(${base}):\n    ${typeMember}: Literal["${type}"]\n    ${dataMember}: shapes.${shape.name}\n`,
  );
  const names = Object.keys(events).map((type) => `    ${toClassName(name, type)},\n`);
  return `${classes.join('\n\n')}\n\n${name}Event = Union[\n${names.join('')}]\n`;
}

function writeEvents(): string {
  const unions = Object.entries(idsOf).map(([log, members]) => {
    const name = log.replace('EventPayloads', '');
    const union = writeUnion(name, `_${name}Log`, logs[log] ?? {}, ['eventType', 'payload']);
    return `class _${name}Log(_Log):\n    ${members}\n\n\n${union}`;
  });
  const deliveries = writeUnion('Webhook', '_Delivery', platformEvents, ['event', 'data']);
  return `"""Events of streams and of webhooks: \`eventType\` or \`event\` decides about the others. ${written}"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from . import shapes


class _Log(TypedDict):
    id: str
    """The id after which a stream resumes."""
    occurredAt: str
    sequence: int
    """The number of the event in its log; 1 for the first."""


${unions.join('\n\n')}

class _Delivery(TypedDict):
    id: str
    timestamp: str
    signature: str


class WebhookTest(_Delivery):
    event: Literal["webhook.test"]
    data: Dict[str, Any]


${deliveries.replace('WebhookEvent = Union[\n', 'WebhookEvent = Union[\n    WebhookTest,\n')}`;
}

/** A module of Client, from that of AsyncClient. */
const toSync = (name: string, text: string): string =>
  text
    .replace(
      /^"""[^]*?"""/,
      `"""The same as ${name}, without asyncio. Written by \`npm run generate\` from that module."""`,
    )
    .replaceAll(/Awaitable\[((?:[^[\]]|\[[^[\]]*\])*)\]/g, '$1')
    .replaceAll(/\basync (?=def|for|with)/g, '')
    .replaceAll(/\bawait /g, '')
    .replaceAll('_async_parts', '_sync_parts')
    .replaceAll(/\b_async_(?=methods|resources|client)/g, '_')
    .replaceAll(/__a(?=(?:iter|enter|exit)__)/g, '__')
    .replaceAll(/\ba(?=(?:close|read|iter_bytes)\b)/g, '')
    .replaceAll(/\bAsync(?=[A-Z])/g, '')
    .replaceAll(/^ +Awaitable,\n/gm, '');

/** The modules of the SDK for Python that are not written by hand, by their path in the repository. */
export async function pythonModules(root: string): Promise<Record<string, string>> {
  const folder = 'sdk/python/src/lensforge';
  const resources = writeResources();
  const sources = {
    methods: await readFile(join(root, folder, '_async_methods.py'), 'utf8'),
    client: await readFile(join(root, folder, '_async_client.py'), 'utf8'),
    resources,
  };
  const modules = Object.entries(sources).map(([name, text]): [string, string] => [
    `${folder}/_${name}.py`,
    toSync(`_async_${name}.py`, text),
  ]);
  return {
    [`${folder}/shapes.py`]: pythonShapes(otherShapes),
    [`${folder}/events.py`]: writeEvents(),
    [`${folder}/_async_resources.py`]: resources,
    ...Object.fromEntries(modules),
  };
}
