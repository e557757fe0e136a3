import { setTimeout as pause } from 'node:timers/promises';
import { type Call, Connection, bytesOf } from './connection.js';
import { isLast } from './frames.js';
import type { Follow, OutcomeOf } from './orders.js';
import { Stream } from './stream.js';

const patienceMs = 10_000;

/** Accepts runs one after the other on an idle system and follows each to its end; both times count from the 202. */
export async function follow({ accept, stream, pauseMs, ms }: Follow): Promise<OutcomeOf<Follow>> {
  const connection = await Connection.to(accept.port);
  const first: number[] = [];
  const done: number[] = [];
  try {
    const request = bytesOf(accept);
    const until = performance.now() + ms;
    while (performance.now() < until) {
      await pause(pauseMs);
      const times = await followOne(connection, request, stream);
      first.push(times.first);
      done.push(times.done);
    }
  } finally {
    connection.close();
  }
  return { first, done };
}

async function followOne(
  connection: Connection,
  request: Buffer,
  call: Call,
): Promise<{ first: number; done: number }> {
  let [first, done] = [0, 0];
  const stream = await Stream.connect(call.port, (frame) => {
    if (first === 0) first = performance.now();
    if (!isLast(frame)) return;
    done = performance.now();
    stream.close();
  });
  const timer = setTimeout(() => stream.close(), patienceMs);
  try {
    const { status, body } = await connection.send(request);
    const acceptedAt = performance.now();
    const id = /"(?:runId|id)":"([0-9a-f-]{36})"/.exec(body)?.[1];
    if (status !== 202 || !id) throw new Error(`not accepted: ${status} ${body.slice(0, 300)}`);
    stream.ask(bytesOf({ ...call, path: call.path.replace('{id}', id) }));
    await stream.closed;
    if (done === 0) throw new Error(`the stream of ${id} did not come to its end`);
    return { first: first - acceptedAt, done: done - acceptedAt };
  } finally {
    clearTimeout(timer);
    stream.close();
  }
}
