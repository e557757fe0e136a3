import type { McpConnection } from '@lensforge/agents';
import type { EgressFetch } from '@lensforge/egress';
import type { AccessTokens, Credentials } from './access-tokens.js';
import { guardedFetch } from './guarded-fetch.js';
import { McpFault } from './mcp-fault.js';
import type { Session } from './session.js';
import { withSession } from './session.js';

export interface McpClientParts {
  tokens: AccessTokens;
  egress: () => Promise<EgressFetch>;
  /** The time for everything that a call needs: tokens, session and answer. */
  timeoutMs: number;
}

export interface ServerCall<T> {
  connection: McpConnection;
  /** Undefined finds the revision of the protocol out. */
  protocolVersion: string | undefined;
  signal?: AbortSignal;
  work: (session: Session) => Promise<T>;
}

/** Calls external MCP servers: within a time limit, through the egress guard, with the credentials of their owner. */
export class McpClient {
  constructor(private readonly parts: McpClientParts) {}

  /** Does the work in one session. `redact` hides the credentials in texts of the server. */
  async call<T>({ connection, protocolVersion, signal, work }: ServerCall<T>): Promise<{ result: T; redact: Redact }> {
    const { tokens, egress, timeoutMs } = this.parts;
    const limit = AbortSignal.timeout(timeoutMs);
    const both = signal ? AbortSignal.any([limit, signal]) : limit;
    let redact: Redact = (text) => text;
    const attempt = async (renew: boolean): Promise<T> => {
      const guarded = guardedFetch(await egress(), both);
      const credentials = await tokens.credentialsFor({ connection, fetch: guarded.fetch, signal: both, renew });
      redact = redactorOf(credentials);
      const { url } = connection;
      const order = {
        url,
        headers: credentials.headers,
        protocolVersion,
        fetch: guarded.fetch,
        signal: both,
        timeoutMs,
      };
      try {
        return await withSession(order, work);
      } catch (reason) {
        // A refused request had no effect, so that it can be repeated with another token.
        if (renew || connection.auth.kind !== 'oauth' || !guarded.isUnauthorized()) throw reason;
        return attempt(true);
      }
    };
    try {
      return { result: await attempt(false), redact };
    } catch (reason) {
      signal?.throwIfAborted();
      if (limit.aborted) throw new McpFault(`The server did not answer within ${timeoutMs / 1000} s`);
      if (reason instanceof Error) reason.message = redact(reason.message);
      throw reason;
    }
  }
}

export type Redact = (text: string) => string;

const redactorOf =
  ({ secrets }: Credentials): Redact =>
  (text) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
