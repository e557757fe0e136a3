import { once } from '../once.js';
import type { Fetch } from './sdk-provider.js';
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
  mostBytes?: number;
}

/** Longer than any run; the deadline of the run ends a call. */
const totalMs = 24 * 3_600_000;

/** A fetch through the egress policy that gives up on a provider that stops sending. */
export function outgoingFetch({ to, allow, firstByteMs, idleMs, mostBytes = 64 * 2 ** 20 }: OutgoingLimits): Fetch {
  const opened = once(async () => {
    const { egressFetch, egressPolicy, readNetworks, systemResolver } = await import('@lensforge/egress');
    const networks = { allow: readNetworks(allow) };
    const open = (own: Parameters<typeof egressPolicy>[0]) => {
      const policy = egressPolicy({ ...networks, ...own, headersMs: firstByteMs, totalMs, readBytes: mostBytes });
      return egressFetch({ ...policy, keepAliveMs: 30_000 });
    };
    if (to === 'users') return { https: open({ ports: [443] }), http: undefined };
    const operators = { ports: 'any', resolve: systemResolver() } as const;
    return { https: open(operators), http: open({ ...operators, allowHttp: true, onlyAllowed: true }) };
  });
  return async (input, init) => {
    const { https, http = https } = await opened();
    const call = isPlain(input) ? http : https;
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

const isPlain = (input: Parameters<Fetch>[0]): boolean =>
  /^http:/i.test(typeof input === 'string' ? input : 'url' in input ? input.url : input.href);

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
