import { type Context, DomainError } from '@lensforge/core';
import { perDatabase, requireBelowLimit } from '@lensforge/database';
import type { DataSource } from 'typeorm';

/** The default number of active AI lensers that a person can own. */
export const MAX_AI_LENSERS = 5;

const limits = perDatabase(() => MAX_AI_LENSERS);

/** Sets the limit of a database; called once at process start. */
export const limitAiLensers = (source: DataSource, max: number): void => limits.set(source, max);

/** In seconds. Only archiving helps, not waiting, so a client should not repeat the request soon. */
const retryAfter = 3600;

/** Throws THROTTLED when the caller owns as many active AI lensers as a person can. */
export function requireBelowAiLenserLimit(ctx: Context): Promise<void> {
  const max = limits.of(ctx);
  return requireBelowLimit(ctx, {
    what: 'active AI lensers',
    accountId: ctx.actor.accountId,
    max,
    from: `accounts a join ai_lensers l on l.account_id = a.id and l.archived_at is null where a.owner_account_id = $1`,
    refusal: new DomainError('THROTTLED', `A person has at most ${max} active AI lensers; archive one first`, {
      reason: 'ai_lensers',
      limit: max,
      retryAfter,
    }),
  });
}
