import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type Call, Connection, bytesOf } from './connection.js';
import type { ClosedLoop, Each, OpenLoop, OutcomeOf, FixedCount, Timed } from './orders.js';

const accepted = 202;

const idIn = (body: string): string => /"(?:runId|id)":"([0-9a-f-]{36})"/.exec(body)?.[1] ?? '';

/** Throws on an unexpected status, since refusals would distort the figure. */
function check({ status, body }: Answer, { status: expected = accepted }: Pick<Call, 'status'> = {}): string {
  if (status === expected) return idIn(body);
  throw new Error(`an answer was ${status} in place of ${expected}: ${body.slice(0, 300)}`);
}

async function withConnections<T>(
  { port }: Pick<Call, 'port'>,
  count: number,
  work: (connections: Connection[]) => Promise<T>,
): Promise<T> {
  const connections = await Promise.all(Array.from({ length: count }, () => Connection.to(port)));
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

export function closedLoop({ call, connections, warmMs, ms }: ClosedLoop): Promise<OutcomeOf<ClosedLoop>> {
  const request = bytesOf(call);
  return withConnections(call, connections, async (all) => {
    const from = performance.now() + warmMs;
    const until = from + ms;
    let answered = 0;
    await Promise.all(
      all.map(async (connection) => {
        while (performance.now() < until) {
          check(await connection.send(request), call);
          const now = performance.now();
          if (now >= from && now < until) answered += 1;
        }
      }),
    );
    return { answered, ms };
  });
}

export function fixedCount({ call, connections, count }: FixedCount): Promise<OutcomeOf<FixedCount>> {
  const request = bytesOf(call);
  return withConnections(call, connections, async (all) => {
    const ids: string[] = [];
    let left = count;
    await Promise.all(
      all.map(async (connection) => {
        while (left-- > 0) ids.push(check(await connection.send(request)));
      }),
    );
    return { ids };
  });
}

export function each({ calls, connections }: Each): Promise<OutcomeOf<Each>> {
  const requests = calls.map((call) => ({ call, bytes: bytesOf(call) }));
  return withConnections(calls[0] ?? { port: 0 }, connections, async (all) => {
    const since = performance.now();
    const left = requests.values();
    await Promise.all(
      all.map(async (connection) => {
        for (const { call, bytes } of left) check(await connection.send(bytes), call);
      }),
    );
    return { ms: performance.now() - since };
  });
}

export function timed({ calls, connections, count, pauseMs }: Timed): Promise<OutcomeOf<Timed>> {
  const requests = calls.map((call) => ({ call, bytes: bytesOf(call) }));
  return withConnections(calls[0] ?? { port: 0 }, connections, async (all) => {
    const latencies: number[] = [];
    let left = count;
    const since = performance.now();
    await Promise.all(
      all.map(async (connection, index) => {
        const request = requests[index % requests.length];
        while (request && left-- > 0) {
          if (pauseMs > 0) await pause(pauseMs);
          const sentAt = performance.now();
          check(await connection.send(request.bytes), request.call);
          latencies.push(performance.now() - sentAt);
        }
      }),
    );
    return { latencies, ms: performance.now() - since };
  });
}

/**
 * Measures the latency of a request from its due time, not from the time at which a free connection took it: a server that
 * stalls is charged for all requests that became due meanwhile.
 */
export function openLoop({ call, connections, perSecond, ms }: OpenLoop): Promise<OutcomeOf<OpenLoop>> {
  const request = bytesOf(call);
  return withConnections(call, connections, async (free) => {
    const count = Math.round((perSecond * ms) / 1000);
    const latencies: number[] = [];
    const late: number[] = [];
    const underWay = new Set<Promise<void>>();

    const take = async (connection: Connection, first: number): Promise<void> => {
      for (let due: number | undefined = first; due !== undefined; due = late.shift()) {
        check(await connection.send(request), call);
        latencies.push(performance.now() - due);
      }
      free.push(connection);
    };

    const start = performance.now();
    let fault: unknown;
    for (let sent = 0; sent < count && fault === undefined;) {
      const due = start + (sent * 1000) / perSecond;
      const wait = due - performance.now();
      if (wait > 0) {
        await pause(wait);
        continue;
      }
      sent += 1;
      const connection = free.pop();
      if (!connection) {
        late.push(due);
        continue;
      }
      const work: Promise<void> = take(connection, due)
        .catch((reason: unknown) => {
          fault = reason;
        })
        .finally(() => underWay.delete(work));
      underWay.add(work);
    }
    await Promise.all(underWay);
    if (fault) throw fault as Error;
    return { latencies };
  });
}
