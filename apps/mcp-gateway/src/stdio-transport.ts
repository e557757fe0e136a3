import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Context } from '@lensforge/core';
import { NotJson, parseJson } from '@lensforge/edge';
import type { Dispatch } from './dispatch.js';
import { type JsonRpcId, codes, errorReply, readId, isRecord } from './json-rpc.js';
import { detectEra } from './protocol.js';

export interface StdioTransport {
  readonly input: Readable;
  readonly output: Writable;
  readonly dispatch: Dispatch;
  /** Creates the context of one message. */
  readonly context: () => Context;
}

/** Serves one message per line. Resolves at the end of the input, after open requests were answered. */
export async function serveStdio({ input, output, dispatch, context }: StdioTransport): Promise<void> {
  const openRequests = new Map<JsonRpcId, AbortController>();
  const tasks = new Set<Promise<void>>();

  const write = (reply: unknown): Promise<void> =>
    new Promise((resolve) => {
      if (!output.writable) resolve();
      else output.write(`${JSON.stringify(reply)}\n`, () => resolve());
    });

  const answer = async (line: string): Promise<void> => {
    let message: unknown;
    try {
      message = parseJson(line);
    } catch (error) {
      if (!(error instanceof NotJson)) throw error;
      await write(errorReply(null, { code: codes.parseError, message: `Parse error: the line ${error.message}` }));
      return;
    }
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) openRequests.get(cancelled)?.abort();
    const id = readId(message);
    const controller = new AbortController();
    if (id !== null) openRequests.set(id, controller);
    const { reply } = await dispatch(context(), message, { era: detectEra(message), signal: controller.signal });
    if (id !== null && openRequests.get(id) === controller) openRequests.delete(id);
    if (reply !== undefined && !controller.signal.aborted) await write(reply);
  };

  const outputClosed = new Promise<void>((resolve) => output.once('error', resolve).once('close', resolve));
  const lines = createInterface({ input, crlfDelay: Infinity });
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    const task = answer(line).finally(() => tasks.delete(task));
    tasks.add(task);
  });
  const inputEnded = new Promise<void>((resolve) => {
    lines.once('close', resolve);
    input.once('close', resolve);
  });
  await Promise.race([inputEnded, outputClosed]);
  lines.close();
  await Promise.race([Promise.all(tasks), outputClosed]);
}

/** The id of the request that a notification cancels. */
function cancelledBy(message: unknown): JsonRpcId | undefined {
  if (!isRecord(message) || message['method'] !== 'notifications/cancelled' || !isRecord(message['params']))
    return undefined;
  const { requestId } = message['params'];
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined;
}
