import { createHash, randomBytes } from 'node:crypto';
import { type Context, DomainError, notFound } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { NodeWait } from './node-wait.entity.js';
import { writableRun } from '../access.js';
import { wakeNode } from './approvals.js';

const hashWaitToken = (token: string): Buffer => createHash('sha256').update(token).digest();
const tokenPattern = /^[\w-]{43}$/;

/** Creates a token for the callback that a node waits for. Only its hash is stored; it replaces any earlier token. */
export async function openWait(
  ctx: Context,
  { runId, nodeKey }: { runId: string; nodeKey: string },
): Promise<{ token: string; expiresAt: string }> {
  const { status } = await writableRun(ctx, runId);
  const token = randomBytes(32).toString('base64url');
  const [rows] = await ctx.db.query<[{ expiresAt: string }[], number]>(
    `update node_waits set token_hash = $3
      where run_id = $1 and node_key = $2 and kind = 'webhook' and decision is null and expires_at > now() and $4 = 'running'
      returning iso(expires_at) as "expiresAt"`,
    [runId, nodeKey, hashWaitToken(token), status],
  );
  const [wait] = rows;
  if (wait) return { token, expiresAt: wait.expiresAt };
  if (!(await ctx.db.existsBy(NodeWait, { runId, nodeKey, kind: 'webhook' }))) throw notFound('waiting node', nodeKey);
  throw new DomainError('CONFLICT', 'This node does not wait for a call any more');
}

interface Found {
  runId: string;
  id: string;
  nodeKey: string;
}

/** Delivers the callback that a node waits for. The first call counts; the token is the only credential. */
export function answerWait(ctx: Context, token: string, body: unknown): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const [wait] = tokenPattern.test(token) ? await ctx.db.query<Found[]>(byToken, [hashWaitToken(token)]) : [];
    if (!wait) throw new DomainError('NOT_FOUND', 'No node waits for a call under this URL');
    const { runId, id, nodeKey } = wait;
    const [, answered] = await ctx.db.query<[unknown, number]>(
      `update node_waits set decision = 'received', value = $3, answered_at = now()
        where run_id = $1 and id = $2 and decision is null and expires_at > now()
          and exists (select from runs r where r.id = $1 and r.status = 'running')`,
      [runId, id, toJsonb(body)],
    );
    if (answered === 0) throw await refusal(ctx, wait);
    await wakeNode(ctx, runId, nodeKey);
  });
}

async function refusal({ db }: Context, { runId, id }: Found): Promise<DomainError> {
  const [wait] = await db.query<{ isUsed: boolean; isExpired: boolean }[]>(
    `select decision is not null as "isUsed", expires_at <= now() as "isExpired" from node_waits where run_id = $1 and id = $2`,
    [runId, id],
  );
  if (wait?.isUsed) return new DomainError('CONFLICT', 'This callback URL was already used');
  if (wait?.isExpired) return new DomainError('CONFLICT', 'This callback URL has expired');
  return new DomainError('CONFLICT', 'The run of this callback URL has ended');
}

const byToken = `select run_id as "runId", id, node_key as "nodeKey" from node_waits where token_hash = $1`;
