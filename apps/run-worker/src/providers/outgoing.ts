import { once } from '../once.js';
import type { Fetch } from './access.js';
import { ProviderFault } from './provider.js';

export interface OutgoingLimits {
  /**
   * The owner of the addresses. Addresses of operators may have any port, and plain http within the allowed networks;
   * addresses of users must be https at port 443.
   */
  to: 'operators' | 'users';
  /** The allowed networks, as in LENSFORGE_EGRESS_ALLOW. */
  allow: string;
  firstByteMs: number;
  idleMs: number;
  maxBytes?: number;
}

/** Longer than any run; the deadline of the run ends a call. */
const totalMs = 24 * 3_600_000;

/** A fetch through the egress policy that gives up on a provider that stops sending. */
export function outgoingFetch({ to, allow, firstByteMs, idleMs, maxBytes = 64 * 2 ** 20 }: OutgoingLimits): Fetch {
  const opened = once(async () => {
    const { egressFetch, egressPolicy, readNetworks, systemResolver } = await import('@lensforge/egress');
    const own =
      to === 'users' ? { ports: [443] } : ({ ports: 'any', resolve: systemResolver(), allowHttp: 'opened' } as const);
    const limits = { headersMs: firstByteMs, totalMs, readBytes: maxBytes };
    return egressFetch({ ...egressPolicy({ allow: readNetworks(allow), ...own, ...limits }), keepAliveMs: 30_000 });
  });
  return async (input, init) => {
    const call = await opened();
    const silence = new AbortController();
    const signals = [silence.signal, ...(init?.signal ? [init.signal] : [])];
    const abortWith = (message: string) => () => silence.abort(new ProviderFault('unavailable', message));
    const first = setTimeout(abortWith('it did not answer in time'), firstByteMs);
    try {
      const { body, status, statusText, headers } = await call(input, { ...init, signal: AbortSignal.any(signals) });
      const watched = body && unlessSilent(body, idleMs, abortWith('it fell silent in the middle of its answer'));
      return new Response(watched, { status, statusText, headers });
    } finally {
      clearTimeout(first);
    }
  };
}

/** Passes the body through; calls `late` when the next chunk takes longer than `ms`. */
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
