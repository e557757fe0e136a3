import type { RunEvent } from '@lensforge/sdk';

/** One attempt at a run, or at a node of it. */
export interface Attempt {
  /** The node; undefined for the run itself. */
  node: string | undefined;
  number: number;
  from: number;
  /** Undefined while it goes on. */
  to: number | undefined;
  /** `lost` when another attempt began although this one had not ended. */
  end: 'running' | 'succeeded' | 'failed' | 'skipped' | 'canceled' | 'timed_out' | 'retried' | 'lost';
  reason: string | undefined;
}

const eventPattern = /^(run|node)\.(started|retrying|succeeded|failed|skipped|canceled|timed_out)$/;

/** The attempts at what was tried more than once, in the order in which they began. */
export function listRepeatedAttempts(events: readonly RunEvent[]): Attempt[] {
  const attempts: Attempt[] = [];
  const latest = new Map<string | undefined, Attempt>();
  for (const { eventType, occurredAt, payload } of events) {
    const change = eventPattern.exec(eventType)?.[2];
    if (change === undefined) continue;
    const about = payload as Partial<Record<'nodeId' | 'nodeKey' | 'reason' | 'errorCode', string>> & {
      attempt?: number;
    };
    const node = about.nodeKey ?? about.nodeId;
    const at = Date.parse(occurredAt);
    const open = latest.get(node);
    const isOpen = open?.end === 'running';
    if (change === 'started') {
      if (open && isOpen) Object.assign(open, { to: at, end: 'lost' });
      const number = about.attempt ?? (open?.number ?? 0) + 1;
      const attempt: Attempt = { node, number, from: at, to: undefined, end: 'running', reason: undefined };
      latest.set(node, attempt);
      attempts.push(attempt);
    } else if (open && isOpen) {
      const reason = about.reason ?? about.errorCode;
      Object.assign(open, { to: at, end: change === 'retrying' ? 'retried' : change, reason });
    }
  }
  const counts = new Map<string | undefined, number>();
  for (const { node } of attempts) counts.set(node, (counts.get(node) ?? 0) + 1);
  return attempts.filter(({ node }) => (counts.get(node) ?? 0) > 1);
}
