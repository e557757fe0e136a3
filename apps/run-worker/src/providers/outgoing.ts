import { once } from './once.js';
import type { Fetch } from './sdk-provider.js';
import { ProviderFault } from './provider.js';

export interface OutgoingLimits {
  /** Opens private and loopback addresses, plain http and every port: for a provider in one's own network. */
  allowPrivate: boolean;
  firstByteMs: number;
  idleMs: number;
  mostBytes?: number;
}

/** Longer than any run; the run's own deadline ends a call. */
const totalMs = 24 * 3_600_000;

/** Calls of providers go through the one door outwards; whoever falls silent is given up. */
export function outgoingFetch({ allowPrivate, firstByteMs, idleMs, mostBytes = 64 * 2 ** 20 }: OutgoingLimits): Fetch {
  const open = once(async () => {
    const { egressFetch, egressPolicy } = await import('@lensforge/egress');
    const policy = egressPolicy({ allowPrivate, allowHttp: allowPrivate, ...(allowPrivate && { ports: 'any' }) });
    return egressFetch({ ...policy, headersMs: firstByteMs, totalMs, readBytes: mostBytes, keepAliveMs: 30_000 });
  });
  return async (input, init) => {
    const call = await open();
    const silence = new AbortController();
    const signals = [silence.signal, ...(init?.signal ? [init.signal] : [])];
    const giveUp = (message: string) => () => silence.abort(new ProviderFault('unavailable', message));
    const first = setTimeout(giveUp('it did not answer in time'), firstByteMs);
    try {
      const { body, status, statusText, headers } = await call(input, { ...init, signal: AbortSignal.any(signals) });
      const watched = body && unlessSilent(body, idleMs, giveUp('it fell silent in the middle of its answer'));
      return new Response(watched, { status, statusText, headers });
    } finally {
      clearTimeout(first);
    }
  };
}

/** The same bytes; `late` is called when the next of them are waited for longer than that. */
function unlessSilent(body: ReadableStream<Uint8Array>, ms: number, late: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const timer = setTimeout(late, ms);
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(error);
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
