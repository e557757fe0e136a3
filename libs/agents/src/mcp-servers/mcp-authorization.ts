import { type ByokOpener, type StoredBox, sealForWorkers } from '@lensforge/byok';
import { type McpAuth, type McpAuthorizationStatus, jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { enqueue } from '@lensforge/database';
import type { BoxContext } from '@lensforge/vault';

/** The time from the beginning of an authorization until it must be finished. */
export const authorizationMs = 600_000;
/** The time for the exchange of a code, also when a worker or a job is lost meanwhile. */
export const exchangeMs = 300_000;
/** The message of an authorization that has expired. */
export const lateMessage = 'It was not finished in time: begin again';

/** The secrets of an authorization, sealed as JSON. */
export interface McpAuthorizationSecret {
  /** The PKCE verifier. */
  verifier: string;
  clientSecret?: string;
  resource?: string;
  isInBody?: boolean;
}

/** The data with which a worker continues an authorization. */
export interface McpAuthorizationWork {
  id: string;
  serverId: string;
  accountId: string;
  url: string;
  status: McpAuthorizationStatus;
  redirectUri: string;
  auth: McpAuth;
  state: string;
  box: StoredBox;
}

type Ref = Pick<McpAuthorizationWork, 'id' | 'accountId'>;

const toBoxContext = ({ id, accountId }: Ref): BoxContext => ['mcp_authorizations', id, accountId];
const codeBinding = (id: string): BoxContext => ['mcp_authorization_codes', id];

export async function sealAuthorization(
  ctx: Context,
  ref: Ref,
  secret: McpAuthorizationSecret,
): Promise<[keyPair: number, dataKey: Buffer, secret: Buffer]> {
  const { keyPair, dataKey, content } = await sealForWorkers(
    ctx,
    toBoxContext(ref),
    Buffer.from(JSON.stringify(secret)),
  );
  return [keyPair, dataKey, content];
}

/** Stores the code of an authorization until a worker takes it. */
export async function storeCode(ctx: Context, id: string, code: string): Promise<void> {
  const { keyPair, dataKey, content } = await sealForWorkers(ctx, codeBinding(id), Buffer.from(code));
  await ctx.db.query('insert into mcp_authorization_codes (id, key_pair, data_key, secret) values ($1, $2, $3, $4)', [
    id,
    keyPair,
    dataKey,
    content,
  ]);
}

/** Has a worker continue an authorization. */
export async function enqueueAuthorization(ctx: Context, authorizationId: string): Promise<void> {
  const outboxId = newId();
  const options = { jobId: `${outboxId}-g0`, publishNow: true, outboxId };
  await enqueue(ctx, jobs.authorizeMcpServer, { authorizationId, outboxId }, options);
}

/** Deletes the authorization of a locked server, so that it cannot be finished. */
export async function deleteMcpAuthorization({ db }: Context, serverId: string): Promise<void> {
  await db.query('delete from mcp_authorizations where server_id = $1', [serverId]);
}

/** Ends expired authorizations and deletes their secrets. Answers how many. */
export async function expireMcpAuthorizations({ db }: Context, { limit }: { limit: number }): Promise<number> {
  const [{ count }] = await db.query<[{ count: number }]>(
    `with late as (
       select id from mcp_authorizations where status in ('preparing', 'waiting', 'exchanging') and expires_at <= now()
        order by expires_at limit $1 for update skip locked
     ), codes as (delete from mcp_authorization_codes where id in (select id from late)
     ), ended as (
       update mcp_authorizations set status = 'failed', message = $2, authorization_url = null, key_pair = null,
              data_key = null, secret = null
        where id in (select id from late) returning id
     ) select count(*)::int as count from ended`,
    [limit, lateMessage],
  );
  return count;
}

type Row = Omit<McpAuthorizationWork, 'box'> & StoredBox;

/** An authorization of an enabled server that a worker has to continue; undefined when it has ended or expired. */
export async function mcpAuthorizationWork({ db }: Context, id: string): Promise<McpAuthorizationWork | undefined> {
  const [row] = await db.query<Row[]>(
    `select a.id, a.server_id as "serverId", a.account_id as "accountId", s.url, a.status,
            a.redirect_uri as "redirectUri", a.auth, a.state, a.key_pair as "keyPair", a.data_key as "dataKey",
            a.secret as content, p.private_key as "privateKey"
       from mcp_authorizations a join mcp_servers s on s.id = a.server_id and s.enabled and s.offered_issuer is null
       join byok_key_pairs p on p.version = a.key_pair
      where a.id = $1 and a.status in ('preparing', 'exchanging') and a.expires_at > now()`,
    [id],
  );
  if (!row) return undefined;
  const { keyPair, dataKey, content, privateKey, ...rest } = row;
  return { ...rest, box: { keyPair, dataKey, content, privateKey } };
}

/** Decrypts the secrets of an authorization, in a run-worker. */
export function openMcpAuthorization(opener: ByokOpener, work: McpAuthorizationWork): McpAuthorizationSecret {
  const secret = opener.openBox(work.box, toBoxContext(work));
  try {
    return JSON.parse(secret.toString()) as McpAuthorizationSecret;
  } finally {
    secret.fill(0);
  }
}

/** Takes the code of an authorization, in a run-worker: one worker gets it, once. */
export async function takeMcpCode({ db }: Context, opener: ByokOpener, id: string): Promise<string | undefined> {
  const [[row]] = await db.query<[StoredBox[], number]>(
    `delete from mcp_authorization_codes c using byok_key_pairs p where c.id = $1 and p.version = c.key_pair
      returning c.key_pair as "keyPair", c.data_key as "dataKey", c.secret as content, p.private_key as "privateKey"`,
    [id],
  );
  if (!row) return undefined;
  const code = opener.openBox(row, codeBinding(id));
  try {
    return code.toString();
  } finally {
    code.fill(0);
  }
}
