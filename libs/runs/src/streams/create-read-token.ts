import { createHash, randomBytes } from 'node:crypto';
import type { RunReadToken } from '@lensforge/contracts';
import { type Actor, type Context, badInput, isUuid } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { readableRun } from '../access.js';

export interface ReadTokenOrder {
  runId: string;
  ttlSeconds?: number | undefined;
  defaultSeconds: number;
  maxSeconds: number;
  /** Adds the token to the path of the events. */
  inQuery: boolean;
}

const prefix = 'lf_run_';
const tokenPattern = /^lf_run_[0-9a-f]{64}$/;

/** Creates a token that reads the events of one run; it expires no later than the credential that created it. */
export async function createReadToken(ctx: Context, order: ReadTokenOrder): Promise<RunReadToken> {
  const { ttlSeconds = order.defaultSeconds, maxSeconds } = order;
  const { id: runId } = await readableRun(ctx, order.runId);
  if (ttlSeconds > maxSeconds) {
    throw badInput('ttlSeconds', `must be at most ${maxSeconds}`);
  }
  const token = `${prefix}${randomBytes(32).toString('hex')}`;
  const { until } = ctx.actor.credential;
  const [row] = await ctx.db.query<[{ expiresAt: string }]>(
    `insert into run_read_tokens (hash, run_id, made_by, expires_at)
     values ($1, $2, $3, least(now() + $4 * interval '1 s', coalesce(to_timestamp($5::float8), 'infinity')))
     returning iso(expires_at) as "expiresAt"`,
    [hashReadToken(token), runId, toJsonb(ctx.actor), ttlSeconds, until ?? null],
  );
  const path = `/v1/runs/${runId}/events`;
  return { runId, token, expiresAt: row.expiresAt, eventsPath: order.inQuery ? `${path}?token=${token}` : path };
}

/** Returns the actor of a read token, with its expiry; undefined if the token is not valid for this run. */
export async function findReader(
  ctx: Context,
  { token, runId }: { token: string; runId: string },
): Promise<Actor | undefined> {
  if (!tokenPattern.test(token) || !isUuid(runId)) return undefined;
  const hash = hashReadToken(token);
  const [row] = await ctx.db.query<{ madeBy: Actor; until: number }[]>(
    `select made_by as "madeBy", floor(extract(epoch from expires_at))::float8 as until
       from run_read_tokens where hash = $1 and run_id = $2 and expires_at > now()`,
    [hash, runId],
  );
  if (!row) return undefined;
  const { madeBy, until } = row;
  return { ...madeBy, credential: { ...madeBy.credential, until, readToken: hash.toString('hex', 0, 16) } };
}

const hashReadToken = (token: string): Buffer => createHash('sha256').update(token).digest();
