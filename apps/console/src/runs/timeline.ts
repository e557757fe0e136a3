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
  /** The lines that the run has logged, with failures and retries. */
  log: readonly LogEntry[];
  /** The numbers of events after which the run, or its approvals, are read again. */
  changes: Readonly<Record<'run' | 'approvals', number>>;
  isEnded: boolean;
}

export interface LogEntry {
  sequence: number;
  at: string;
  level: string;
  message: string;
}

export const emptyTimeline: Timeline = {
  events: [],
  output: '',
  spans: new Map(),
  log: [],
  changes: { run: 0, approvals: 0 },
  isEnded: false,
};

const ends = ['run.succeeded', 'run.failed', 'run.canceled', 'run.timed_out'];
const nodeEnds: Readonly<Record<string, NodeSpan['status']>> = {
  'node.succeeded': 'succeeded',
  'node.failed': 'failed',
  'node.skipped': 'skipped',
  'node.canceled': 'canceled',
  'node.timed_out': 'timed_out',
};

/** The line of the log that an event is, if it is one. */
export function toLogEntry(event: RunEvent): LogEntry | undefined {
  const { sequence, occurredAt: at } = event;
  const node = event.payload as { nodeId?: string; nodeKey?: string };
  const name = node.nodeKey ?? node.nodeId;
  const entry = (level: string, message: string): LogEntry => ({
    sequence,
    at,
    level,
    message: name === undefined ? message : `${name}: ${message}`,
  });
  switch (event.eventType) {
    case 'log': {
      const { level, message, members } = event.payload;
      return entry(level, members === undefined ? message : `${message} ${JSON.stringify(members)}`);
    }
    case 'node.failed':
    case 'node.timed_out':
    case 'run.failed':
      return entry('error', `${event.payload.errorCode} ${event.payload.errorMessage}`);
    case 'node.retrying':
    case 'run.retrying':
      return entry('warn', event.payload.reason);
    default:
      return undefined;
  }
}

/** The time from the start of a run, or of its last attempt, to the first text of its answer. */
export function measureFirstText(events: readonly RunEvent[]): number | undefined {
  const start = events.findLast(({ eventType }) => ['run.started', 'run.retrying'].includes(eventType));
  if (!start) return undefined;
  const text = events.find(({ eventType, sequence }) => eventType === 'node.output.delta' && sequence > start.sequence);
  return text && Date.parse(text.occurredAt) - Date.parse(start.occurredAt);
}

/** Adds events to a timeline. Events that it has already are left out, so a stream may repeat itself. */
export function addEvents(before: Timeline, added: readonly RunEvent[]): Timeline {
  const last = before.events.at(-1)?.sequence ?? 0;
  const fresh = added.filter(({ sequence }) => sequence > last);
  if (fresh.length === 0) return before;
  const spans = new Map(before.spans);
  const log: LogEntry[] = [];
  const changes = { ...before.changes };
  let { output, isEnded } = before;
  for (const event of fresh) {
    const entry = toLogEntry(event);
    if (entry) log.push(entry);
    if (event.eventType.startsWith('run.') || event.eventType === 'artifact.created') changes.run += 1;
    if (event.eventType.startsWith('approval.') || event.eventType === 'node.waiting') changes.approvals += 1;
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
  return {
    events: [...before.events, ...fresh],
    output,
    spans,
    log: log.length === 0 ? before.log : [...before.log, ...log],
    changes,
    isEnded,
  };
}
