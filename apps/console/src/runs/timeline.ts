import type { RunEvent } from '@lensforge/sdk';

/** The time of a node within its run. */
export interface NodeSpan {
  key: string;
  from: number;
  /** Undefined while it runs. */
  to: number | undefined;
  status: 'running' | 'waiting' | 'succeeded' | 'failed' | 'skipped' | 'canceled' | 'timed_out';
}

/** The events of a run so far, and the output and node spans that follow from them. */
export interface Timeline {
  events: readonly RunEvent[];
  /** The text that the run, or its latest node, has written. */
  output: string;
  spans: ReadonlyMap<string, NodeSpan>;
  isEnded: boolean;
}

export const emptyTimeline: Timeline = { events: [], output: '', spans: new Map(), isEnded: false };

const ends = ['run.succeeded', 'run.failed', 'run.canceled', 'run.timed_out'];
const nodeEnds: Readonly<Record<string, NodeSpan['status']>> = {
  'node.succeeded': 'succeeded',
  'node.failed': 'failed',
  'node.skipped': 'skipped',
  'node.canceled': 'canceled',
  'node.timed_out': 'timed_out',
};

/** Adds events to a timeline. Events that it has already are left out, so a stream may repeat itself. */
export function addEvents(before: Timeline, added: readonly RunEvent[]): Timeline {
  const last = before.events.at(-1)?.sequence ?? 0;
  const fresh = added.filter(({ sequence }) => sequence > last);
  if (fresh.length === 0) return before;
  const spans = new Map(before.spans);
  let { output, isEnded } = before;
  for (const event of fresh) {
    const at = Date.parse(event.occurredAt);
    const payload = event.payload as { nodeId?: string; nodeKey?: string };
    const key = payload.nodeKey ?? payload.nodeId;
    if (event.eventType === 'node.output.delta') output += event.payload.text;
    if (event.eventType === 'run.retrying') output = '';
    if (ends.includes(event.eventType)) isEnded = true;
    if (key === undefined) continue;
    const span = spans.get(key);
    const end = nodeEnds[event.eventType];
    if (event.eventType === 'node.started')
      spans.set(key, { key, from: span?.from ?? at, to: undefined, status: 'running' });
    else if (event.eventType === 'node.waiting')
      spans.set(key, { key, from: span?.from ?? at, to: undefined, status: 'waiting' });
    else if (end) spans.set(key, { key, from: span?.from ?? at, to: at, status: end });
  }
  return { events: [...before.events, ...fresh], output, spans, isEnded };
}
