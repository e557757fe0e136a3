import { version } from '@lensforge/edge';
import type { Client, Tool } from '@modelcontextprotocol/client';
import { once } from '../../once.js';
import type { Fetch } from './guarded-fetch.js';

/** The official client is loaded with the first call of a process. */
export const loadSdk = once(() => import('@modelcontextprotocol/client'));

export interface SessionOrder {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The revision that the server spoke last; undefined finds it out. */
  protocolVersion: string | undefined;
  fetch: Fetch;
  signal: AbortSignal;
  timeoutMs: number;
}

export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
  inputSchema: Readonly<Record<string, unknown>>;
  idempotencyKey: string;
}

export type ToolResult = Awaited<ReturnType<Client['callTool']>>;

/** An open connection to a server, in either era of the protocol. */
export interface Session {
  protocolVersion: string | undefined;
  listTools(cursor: string | undefined): Promise<{ tools: Tool[]; nextCursor?: string | undefined }>;
  callTool(call: ToolCall): Promise<ToolResult>;
}

const firstModern = '2026-';
/** The member of `_meta` by which a server can recognise a repeated call. */
const keyMember = 'lensforge/idempotency-key';

/** Opens a session, does the work, and ends the session. */
export async function withSession<T>(order: SessionOrder, work: (session: Session) => Promise<T>): Promise<T> {
  const { url, headers, protocolVersion: known, fetch, signal, timeoutMs } = order;
  const { Client, StreamableHTTPClientTransport } = await loadSdk();
  const mode = known === undefined ? 'auto' : known >= firstModern ? { pin: known } : 'legacy';
  const client = new Client(
    { name: 'lensforge', version },
    { versionNegotiation: { mode }, inputRequired: { autoFulfill: false } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit: { headers } });
  const options = { signal, timeout: timeoutMs };
  try {
    await client.connect(transport, options);
    return await work({
      protocolVersion: client.getNegotiatedProtocolVersion(),
      listTools: (cursor) =>
        client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, options),
      callTool: ({ name, arguments: values, inputSchema, idempotencyKey }) =>
        client.callTool(
          { name, arguments: values, _meta: { [keyMember]: idempotencyKey } },
          // Without a result schema the client compiles and runs nothing that the server wrote.
          { ...options, toolDefinition: { name, inputSchema: { ...inputSchema, type: 'object' } } },
        ),
    });
  } finally {
    void transport
      .terminateSession()
      .catch(() => undefined)
      .then(() => client.close())
      .catch(() => undefined);
  }
}
