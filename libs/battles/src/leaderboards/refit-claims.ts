import type { BattleType } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';

/** The right to refit a battle type, while its lease lasts. The attempt is the fencing token. */
export interface RefitClaim {
  battleType: BattleType;
  attempt: number;
}

export interface RefitTiming {
  /** The wait after the first change, in which further changes arrive. */
  delayMs: number;
  /** The least time between two starts. A type also rests as long as its last refit took. */
  pauseMs: number;
  leaseMs: number;
}

const ms = (parameter: string): string => `${parameter} * interval '1 ms'`;

/** Claims a type with changes, or one whose worker was lost. */
export async function claimRefit(
  ctx: Context,
  { delayMs, pauseMs, leaseMs }: RefitTiming,
): Promise<RefitClaim | undefined> {
  const [[claim]] = await ctx.db.query<[RefitClaim[], number]>(
    `update rating_refits set changed_at = null, started_at = now(), leased_until = now() + ${ms('$3')}, attempt = attempt + 1
      where battle_type = (
        select battle_type from rating_refits
         where case when leased_until is null then changed_at <= now() - ${ms('$1')} else leased_until <= now() end
           and (started_at is null or greatest(started_at + ${ms('$2')}, ended_at + (ended_at - started_at)) <= now())
         order by changed_at, battle_type limit 1 for update skip locked)
     returning battle_type as "battleType", attempt`,
    [delayMs, pauseMs, leaseMs],
  );
  return claim;
}

/** Extends the lease; false when it has ended. */
export async function extendRefit(
  ctx: Context,
  { battleType, attempt }: RefitClaim,
  leaseMs: number,
): Promise<boolean> {
  const [, extended] = await ctx.db.query<[unknown[], number]>(
    `update rating_refits set leased_until = now() + ${ms('$3')}
      where battle_type = $1 and attempt = $2 and leased_until > now()`,
    [battleType, attempt, leaseMs],
  );
  return extended === 1;
}

/** Ends a refit in the transaction that stores its result; throws when the lease has ended. */
export async function completeRefit(ctx: Context, { battleType, attempt }: RefitClaim): Promise<void> {
  const [, completed] = await ctx.db.query<[unknown[], number]>(
    `update rating_refits set leased_until = null, ended_at = clock_timestamp()
      where battle_type = $1 and attempt = $2 and leased_until > clock_timestamp()`,
    [battleType, attempt],
  );
  if (completed !== 1) throw new Error(`The lease of the refit of ${battleType} has ended`);
}

/** Ends a refit without a result; the type is due again. */
export async function abandonRefit(ctx: Context, { battleType, attempt }: RefitClaim): Promise<void> {
  await ctx.db.query(
    `update rating_refits set leased_until = null, ended_at = now(), changed_at = coalesce(changed_at, now())
      where battle_type = $1 and attempt = $2 and leased_until is not null`,
    [battleType, attempt],
  );
}
