import type { Context } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { EgressFetch } from '@lensforge/egress';
import { createOpener } from '../../byok-opener.js';
import type { RunWorkerEnvironment } from '../../environment.js';
import { once } from '../../once.js';
import { AccessTokens } from './access-tokens.js';
import { McpAuthorizations } from './mcp-authorizations.js';
import { McpClient } from './mcp-client.js';

/** The number of bytes of an answer that are read. */
const maxAnswerBytes = 4 * 1024 * 1024;

export interface Mcp {
  client: McpClient;
  authorizations: McpAuthorizations;
}

/** The client for external MCP servers of a process, and the authorizations of these servers. */
export function openMcp({ environment, drain, logger: log }: Platform<RunWorkerEnvironment>, ctx: Context): Mcp {
  const timeoutMs = environment.LENSFORGE_MCP_SERVER_TIMEOUT_MS;
  const egress = egressOfServers(environment);
  drain.onExit('MCP servers', () => egress.close());
  const parts = { egress: egress.open, timeoutMs };
  const opener = createOpener(environment);
  return {
    client: new McpClient({ tokens: new AccessTokens(ctx, opener), ...parts }),
    authorizations: new McpAuthorizations({ opener, log, ...parts }),
  };
}

/** The egress of calls to MCP servers. The first call loads the library. */
function egressOfServers(environment: RunWorkerEnvironment): { open: () => Promise<EgressFetch>; close: () => void } {
  let opened: EgressFetch | undefined;
  const open = once(async (): Promise<EgressFetch> => {
    const { egressFetch, egressPolicy, readNetworks } = await import('@lensforge/egress');
    const allowPrivate = environment.LENSFORGE_MCP_SERVERS_ALLOW_PRIVATE;
    const timeoutMs = environment.LENSFORGE_MCP_SERVER_TIMEOUT_MS;
    opened = egressFetch({
      ...egressPolicy({
        allow: readNetworks(environment.LENSFORGE_EGRESS_ALLOW),
        allowPrivate,
        // Credentials are sent over an encrypted connection, except to addresses that the operator has opened.
        allowHttp: 'opened',
        ...(allowPrivate && { ports: 'any' as const }),
        headersMs: timeoutMs,
        totalMs: timeoutMs,
        readBytes: maxAnswerBytes,
      }),
    });
    return opened;
  });
  return { open, close: () => void opened?.close() };
}
