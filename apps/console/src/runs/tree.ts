import type { RunEvent, shapes } from '@lensforge/sdk';
import { type Attempt, listRepeatedAttempts } from './attempts';
import { type Step, type ToolCall, groupSteps } from './steps';

type Node = shapes.RunNodeItem;
type Run = Pick<shapes.PlatformRunStatus, 'kind' | 'status' | 'startedAt' | 'completedAt'>;

/** The part of a run that an item stands for. */
export type TreePart =
  | { kind: 'run' }
  | { kind: 'node'; node: Node }
  | { kind: 'attempt'; attempt: Attempt }
  | { kind: 'step'; step: Step }
  | { kind: 'call'; call: ToolCall };

/** A part of a run with its parts. */
export interface TreeItem {
  /** The key of a node is its id; ids of all others have a `#`, which no key has. */
  id: string;
  name: string;
  note: string;
  status: string;
  /** Undefined before it has started. */
  from: number | undefined;
  /** Undefined while it goes on. */
  to: number | undefined;
  tokens: number;
  credits: number;
  part: TreePart;
  children: TreeItem[];
}

export interface TreeRow {
  item: TreeItem;
  depth: number;
}

const toMs = (time: string | null = null): number | undefined => (time === null ? undefined : Date.parse(time));
const getBegin = ({ from }: TreeItem): number => from ?? Infinity;
const byBegin = (one: TreeItem, other: TreeItem): number => getBegin(one) - getBegin(other) || 0;

/** The node of the map that a node is in, such as each for each[3].summary, if it is known. */
function findMap(key: string, items: ReadonlyMap<string, TreeItem>): TreeItem | undefined {
  for (let at = key.lastIndexOf('['); at > 0; at = key.lastIndexOf('[', at - 1)) {
    const found = items.get(key.slice(0, at));
    if (found) return found;
  }
  return undefined;
}

/** The id of the call by which a step of an agent below another was asked: 2.1 is call 1 of step 2. */
function findAskingCall({ node, path }: Step): string | undefined {
  if (path === '') return undefined;
  const parts = path.split('.');
  const [step, call] = parts.splice(-2);
  return toCallId([node, parts.join('.'), step].join(' '), Number(call));
}

const toStepId = (key: string): string => `#${key}`;
const toCallId = (stepKey: string, call: number): string => `${toStepId(stepKey)}#${call}`;

/** The run with its nodes, what was tried more than once, requests to models, and tool calls; nodes that are not given have none. */
export function buildTree(run: Run, nodes: readonly Node[], events: readonly RunEvent[], words: TreeWords): TreeItem {
  const { kind, status, startedAt, completedAt } = run;
  const root: TreeItem = {
    id: '#',
    name: words.run,
    note: kind,
    status,
    from: toMs(startedAt),
    to: toMs(completedAt),
    tokens: 0,
    credits: 0,
    part: { kind: 'run' },
    children: [],
  };
  const items = new Map(nodes.map((node) => [node.nodeKey, toNodeItem(node)]));
  for (const [key, item] of items) {
    const map = findMap(key, items);
    // Its map stands above it, and need not be said again.
    if (map) item.name = key.slice(map.id.length);
    (map ?? root).children.push(item);
  }
  // Only runs of workflows have nodes; what others report of theirs belongs to the run.
  const findOwner = (node: string | undefined): TreeItem | undefined =>
    items.get(node ?? '') ?? (node === undefined || kind !== 'workflow' ? root : undefined);
  const attempts = new Map<TreeItem, TreeItem[]>();
  for (const attempt of listRepeatedAttempts(events)) {
    const owner = findOwner(attempt.node);
    if (!owner) continue;
    const item = toAttemptItem(attempt, words);
    owner.children.push(item);
    attempts.set(owner, [...(attempts.get(owner) ?? []), item]);
  }
  const calls = new Map<string, TreeItem>();
  // A step that is open after the end of its run belongs to an attempt that was lost.
  const unfinished = completedAt === null ? 'running' : 'lost';
  for (const step of groupSteps(events)) {
    const owner = findOwner(step.node);
    if (!owner) continue;
    const item = toStepItem(step, unfinished, words);
    for (const call of item.children) calls.set(call.id, call);
    const attempt = attempts.get(owner)?.findLast(({ from }) => from !== undefined && from <= step.from);
    (calls.get(findAskingCall(step) ?? '') ?? attempt ?? owner).children.push(item);
  }
  return root;
}

export interface TreeWords {
  run: string;
  attempt: (number: number) => string;
  step: (number: number) => string;
}

const toNodeItem = (node: Node): TreeItem => ({
  id: node.nodeKey,
  name: node.nodeKey,
  note: node.type,
  status: node.status,
  from: toMs(node.startedAt),
  to: toMs(node.completedAt),
  tokens: node.tokensUsed,
  credits: node.costCredits,
  part: { kind: 'node', node },
  children: [],
});

const toAttemptItem = (attempt: Attempt, words: TreeWords): TreeItem => ({
  id: `#${attempt.node ?? ''}#${attempt.number}#${attempt.from}`,
  name: words.attempt(attempt.number),
  note: attempt.reason ?? '',
  status: attempt.end,
  from: attempt.from,
  to: attempt.to,
  tokens: 0,
  credits: 0,
  part: { kind: 'attempt', attempt },
  children: [],
});

function toStepItem(step: Step, unfinished: string, words: TreeWords): TreeItem {
  const isDone = step.agent !== undefined && step.calls.every(({ result }) => result !== undefined);
  return {
    id: toStepId(step.key),
    name: words.step(step.step),
    note: step.agent ?? '',
    status: isDone ? 'succeeded' : unfinished,
    from: step.from,
    to: isDone ? step.to : undefined,
    tokens: step.tokens ?? 0,
    credits: step.credits ?? 0,
    part: { kind: 'step', step },
    children: step.calls.map((call) => toCallItem(step, call, unfinished)),
  };
}

const toCallItem = ({ key }: Step, call: ToolCall, unfinished: string): TreeItem => ({
  id: toCallId(key, call.call),
  name: call.toolId,
  note: '',
  status: call.result ? nameResult(call.result) : unfinished,
  from: call.from,
  to: call.to,
  tokens: 0,
  credits: 0,
  part: { kind: 'call', call },
  children: [],
});

const nameResult = ({ isError, status }: NonNullable<ToolCall['result']>): string => {
  if (isError) return 'failed';
  return status === 'done' ? 'succeeded' : status;
};

/** The items in the order of their beginnings, each before its parts, without the parts of those that are closed. */
export function listRows(root: TreeItem, closed: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (item: TreeItem, depth: number): void => {
    rows.push({ item, depth });
    if (closed.has(item.id)) return;
    for (const child of item.children.toSorted(byBegin)) add(child, depth + 1);
  };
  add(root, 0);
  return rows;
}

export interface Bounds {
  from: number;
  to: number;
}

/** The time that items cover; those that have not ended go on until `now`. */
export function computeBounds(rows: readonly TreeRow[], now: number): Bounds {
  let from = Infinity;
  let to = -Infinity;
  for (const { item } of rows) {
    if (item.from === undefined) continue;
    from = Math.min(from, item.from);
    to = Math.max(to, item.to ?? now);
  }
  return from === Infinity ? { from: now, to: now + 1 } : { from, to: Math.max(to, from + 1) };
}

/** The place of an item that has started within the bounds, in per cent. */
export function placeItem({ from: begin, to: end }: TreeItem, { from, to }: Bounds) {
  if (begin === undefined) return undefined;
  const share = 100 / (to - from);
  return { x: (begin - from) * share, width: Math.max(0.6, ((end ?? to) - begin) * share) };
}
