import type { McpConnection } from '@lensforge/agents';
import type { EgressFetch } from '@lensforge/egress';
import type { AccessTokens, Credentials } from './access-tokens.js';
import { guardedFetch } from './guarded-fetch.js';
import { McpFault } from './mcp-fault.js';
import { type Session, withSession } from './session.js';

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
  /** Checks that the server still names the pinned authorization server, also while its token is usable. */
  checksIssuer?: boolean;
  work: (session: Session) => Promise<T>;
}

/** Calls external MCP servers: within a time limit, through the egress guard, with the credentials of their owner. */
export class McpClient {
  constructor(private readonly parts: McpClientParts) {}

  /** Does the work in one session. `redact` hides the credentials in texts of the server. */
  async call<T>(order: ServerCall<T>): Promise<{ result: T; redact: Redact }> {
    const { connection, protocolVersion, signal, checksIssuer = false, work } = order;
    const { tokens, egress, timeoutMs } = this.parts;
    const limit = AbortSignal.timeout(timeoutMs);
    const both = signal ? AbortSignal.any([limit, signal]) : limit;
    let redact: Redact = (text) => text;
    const attempt = async (renew: boolean): Promise<T> => {
      const guarded = guardedFetch(await egress(), both);
      const { fetch } = guarded;
      const credentials = await tokens.credentialsFor({ connection, fetch, signal: both, renew, checksIssuer });
      redact = createRedactor(credentials);
      const { url } = connection;
      const session = {
        url,
        headers: credentials.headers,
        protocolVersion,
        fetch,
        signal: both,
        timeoutMs,
      };
      try {
        return await withSession(session, work);
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

const createRedactor =
  ({ secrets }: Credentials): Redact =>
  (text) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
