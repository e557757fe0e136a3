import type { EgressFetch } from '@lensforge/egress';
import { McpFault } from './mcp-fault.js';

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

export interface GuardedFetch {
  fetch: Fetch;
  /** True once the server has refused the credentials. */
  isUnauthorized(): boolean;
}

/** The time for ending a session, which the server may ignore. */
const endMs = 2000;

/**
 * The requests of one session, through the egress guard. Redirects end it, so that no credential reaches another address.
 * The stream for messages that no request has caused is not opened: calls need none.
 */
export function guardedFetch(egress: EgressFetch, signal: AbortSignal): GuardedFetch {
  let isUnauthorized = false;
  return {
    isUnauthorized: () => isUnauthorized,
    fetch: async (input, init = {}) => {
      const headers = new Headers(init.headers);
      const isStream = headers.get('accept')?.includes('text/event-stream') ?? false;
      if (init.method === 'GET' && isStream && !headers.has('last-event-id'))
        return new Response(null, { status: 405 });
      const end = init.method === 'DELETE' ? AbortSignal.timeout(endMs) : signal;
      const signals = init.signal ? [end, init.signal] : [end];
      const response = await egress(input, { ...init, signal: AbortSignal.any(signals) });
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        throw new McpFault(
          `The server redirects (HTTP ${response.status}), which is not followed: register the final address`,
        );
      }
      if (response.status === 401) isUnauthorized = true;
      return response;
    },
  };
}
