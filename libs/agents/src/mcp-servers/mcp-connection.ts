import type { ByokOpener, StoredBox } from '@lensforge/byok';
import type { McpAuth } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { McpIssuer } from './mcp-issuer.js';
import { sealSecret } from './seal-secret.js';
import { type McpSecret, secretBinding } from './server-auth.js';

/** The data with which a worker calls a server. */
export interface McpConnection {
  id: string;
  accountId: string;
  name: string;
  url: string;
  auth: McpAuth;
  /** null without secrets. */
  box: StoredBox | null;
  secretVersion: number;
  /** The authorization server that receives the secrets; null until a worker has found it, or when `auth` names the token endpoint. */
  issuer: McpIssuer | null;
  /** Another one that the server has named since, until the owner confirms it. */
  offeredIssuer: McpIssuer | null;
  /** The revision that the server spoke at its last refresh. */
  protocolVersion: string | null;
}

interface Row extends Omit<McpConnection, 'box'>, Omit<StoredBox, 'keyPair'> {
  keyPair: number | null;
}

const columns = `s.id, s.account_id as "accountId", s.name, s.url, s.auth, s.secret_version as "secretVersion", s.protocol_version as "protocolVersion",
  s.issuer, s.offered_issuer as "offeredIssuer",
  s.key_pair as "keyPair", s.data_key as "dataKey", s.secret as content, p.private_key as "privateKey"`;
const servers = 'mcp_servers s left join byok_key_pairs p on p.version = s.key_pair';

const toConnection = ({ keyPair, dataKey, content, privateKey, ...row }: Row): McpConnection => ({
  ...row,
  box: keyPair === null ? null : { keyPair, dataKey, content, privateKey },
});

/** The connection to a server that is enabled. */
export async function mcpConnection({ db }: Context, serverId: string): Promise<McpConnection | undefined> {
  const [row] = await db.query<Row[]>(`select ${columns} from ${servers} where s.id = $1 and s.enabled`, [serverId]);
  return row && toConnection(row);
}

export interface McpToolConnection extends McpConnection {
  inputSchema: Readonly<Record<string, unknown>>;
}

/** The connection to a tool that an enabled server of the caller lists and allows. */
export async function mcpToolConnection(
  { db, actor }: Context,
  { connector, name }: { connector: string; name: string },
): Promise<McpToolConnection | undefined> {
  const [row] = await db.query<(Row & Pick<McpToolConnection, 'inputSchema'>)[]>(
    `select ${columns}, m.definition -> 'inputSchema' as "inputSchema"
       from ${servers} join mcp_tools m on m.server_id = s.id and m.name = $3
      where s.account_id = $1 and s.name = $2 and s.enabled and (s.allowed_tools is null or m.name = any (s.allowed_tools))`,
    [actor.accountId, connector, name],
  );
  return row && { ...toConnection(row), inputSchema: row.inputSchema };
}

/** Decrypts the secrets of a server, in a run-worker. */
export function openMcpSecret(opener: ByokOpener, connection: McpConnection): McpSecret {
  if (!connection.box) return {};
  const secret = opener.openBox(connection.box, secretBinding(connection));
  try {
    return JSON.parse(secret.toString()) as McpSecret;
  } finally {
    secret.fill(0);
  }
}

/**
 * Claims the renewal of the access token of a server, so that one worker uses its refresh token. False while another worker
 * renews it, or after the secrets have changed.
 */
export async function claimMcpRenewal(
  { db }: Context,
  { id, secretVersion }: Pick<McpConnection, 'id' | 'secretVersion'>,
  forMs: number,
): Promise<boolean> {
  const [, claimed] = await db.query<[unknown, number]>(
    `update mcp_servers set renewal_until = now() + $3 * interval '1 ms'
      where id = $1 and secret_version = $2 and (renewal_until is null or renewal_until <= now())`,
    [id, secretVersion, forMs],
  );
  return claimed > 0;
}

/** Ends the claim of a renewal that has failed. */
export async function endMcpRenewal({ db }: Context, { id, secretVersion }: McpConnection): Promise<void> {
  await db.query('update mcp_servers set renewal_until = null where id = $1 and secret_version = $2', [
    id,
    secretVersion,
  ]);
}

/** Stores renewed secrets and ends the claim; false when the secrets were replaced meanwhile. */
export function saveMcpSecret(ctx: Context, connection: McpConnection, secret: McpSecret): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const box = await sealSecret(ctx, connection, secret);
    const [, saved] = await ctx.db.query<[unknown, number]>(
      `update mcp_servers set key_pair = $3, data_key = $4, secret = $5, secret_version = secret_version + 1, renewal_until = null
        where id = $1 and secret_version = $2`,
      [connection.id, connection.secretVersion, ...box],
    );
    return saved > 0;
  });
}
