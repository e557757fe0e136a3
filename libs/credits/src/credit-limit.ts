import { type Context, DomainError } from '@lensforge/core';

/** A limit besides the balance: the credits that may be spent or held under an id per day or month (UTC), or in total. */
export interface CreditLimit {
  id: string;
  credits: number;
  period: 'day' | 'month' | 'total';
  /** The kind of limit, as the error names it. */
  of: 'token' | 'agent' | 'sponsorship' | 'sponsorship_caller';
  /** The credits that one run may spend or hold. */
  perRun?: number;
}

export interface LimitedHold {
  runId: string;
  part?: string;
  amount: number;
}

export interface LimitUse {
  held: number;
  /** In the current period of the limit. */
  spent: number;
}

const today = `(now() at time zone 'UTC')::date`;
const month = `date_trunc('month', now() at time zone 'UTC')::date`;
const spentIn = (period: string, use: string): string =>
  `case ${period} when 'total' then ${use}.spent
        when 'month' then case when ${use}.month = ${month} then ${use}.spent_in_month else 0 end
        else case when ${use}.day = ${today} then ${use}.spent_in_day else 0 end end`;

/** Counts holds against limits in the transaction of the holds. Each limit has one row, which serialises concurrent holds. */
export async function countAgainstLimits(
  ctx: Context,
  limits: readonly CreditLimit[],
  holds: readonly LimitedHold[],
): Promise<void> {
  const amount = holds.reduce((sum, hold) => sum + hold.amount, 0);
  for (const limit of limits.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const counted = await ctx.db.query<unknown[]>(
      `insert into credit_uses as u (id, month, day, held) select $1, ${month}, ${today}, $2 where $2::bigint <= $3::bigint
       on conflict (id) do update
          set held = u.held + excluded.held, month = excluded.month, day = excluded.day,
              spent_in_month = ${spentIn("'month'", 'u')}, spent_in_day = ${spentIn("'day'", 'u')}
        where u.held + excluded.held + ${spentIn('$4', 'u')} <= $3::bigint
       returning id`,
      [limit.id, amount, limit.credits, limit.period],
    );
    if (counted.length === 0) throw await limitReached(ctx, limit, amount);
    for (const hold of holds) await enforceRunLimit(ctx, limit, hold);
  }
}

/** Enforces the limit per run. The caller holds the lock on the row of the limit. */
async function enforceRunLimit(ctx: Context, { id, perRun }: CreditLimit, hold: LimitedHold): Promise<void> {
  if (perRun === undefined) return;
  const { runId, part = '', amount: needed } = hold;
  // A hold without a part is the first of its run; only nodes add further holds.
  const used = part === '' ? 0 : await usedByRun(ctx, id, runId);
  if (used + needed <= perRun) return;
  const left = Math.max(0, perRun - used);
  throw new DomainError(
    'INSUFFICIENT_CREDITS',
    `The sponsor of this lens pays at most ${perRun} credits for a run: ${left} are left, and this needs ${needed}; ` +
      'use a cheaper model, or ask for a shorter answer (sampling.maxOutputTokens)',
    { limitOf: 'sponsorship_run', limit: perRun, left, needed },
  );
}

async function usedByRun(ctx: Context, useId: string, runId: string): Promise<number> {
  const [row] = await ctx.db.query<[{ used: number }]>(
    `select coalesce(sum(case e.kind when 'hold' then e.amount when 'release' then -e.amount else 0 end), 0)::float8 as used
       from credit_entries e join credit_entries h on h.run_id = e.run_id and h.part = e.part and h.kind = 'hold'
      where e.run_id = $1 and $2 = any (h.uses)`,
    [runId, useId],
  );
  return row.used;
}

/** Settles holds that countAgainstLimits counted. */
export async function settleUses(ctx: Context, ids: readonly string[], held: number, cost: number): Promise<void> {
  for (const id of ids.toSorted()) {
    await ctx.db.query(
      `update credit_uses as u set held = held - $2, spent = spent + $3, month = ${month}, day = ${today},
              spent_in_month = $3 + ${spentIn("'month'", 'u')}, spent_in_day = $3 + ${spentIn("'day'", 'u')}
        where id = $1`,
      [id, held, cost],
    );
  }
}

/** Reads the credits held and spent under a limit. */
export async function readLimitUse(
  ctx: Context,
  { id, period }: Pick<CreditLimit, 'id' | 'period'>,
): Promise<LimitUse> {
  const [use] = await ctx.db.query<LimitUse[]>(
    `select held::float8 as held, (${spentIn('$2', 'u')})::float8 as spent from credit_uses u where id = $1`,
    [id, period],
  );
  return use ?? { held: 0, spent: 0 };
}

/** Reads the credits held and spent under each of several limits, in their order. */
export async function readLimitUses(
  ctx: Context,
  limits: readonly Pick<CreditLimit, 'id' | 'period'>[],
): Promise<LimitUse[]> {
  const rows = await ctx.db.query<(LimitUse & { id: string })[]>(
    `select u.id, u.held::float8 as held, (${spentIn('l.period', 'u')})::float8 as spent
       from unnest($1::uuid[], $2::text[]) as l (id, period) join credit_uses u on u.id = l.id`,
    [limits.map(({ id }) => id), limits.map(({ period }) => period)],
  );
  const found = new Map(rows.map(({ id, held, spent }) => [id, { held, spent }]));
  return limits.map(({ id }) => found.get(id) ?? { held: 0, spent: 0 });
}

async function limitReached(ctx: Context, limit: CreditLimit, needed: number): Promise<DomainError> {
  const { credits, period, of } = limit;
  if (of === 'sponsorship') {
    return new DomainError('INSUFFICIENT_CREDITS', 'The sponsor pool has too few credits left for this run', {
      limitOf: of,
    });
  }
  const { held, spent } = await readLimitUse(ctx, limit);
  const left = Math.max(0, credits - spent - held);
  const rule =
    of === 'token' || of === 'agent'
      ? `This ${of === 'token' ? 'token' : 'AI lenser'} may spend ${credits} credits ${perPeriod[period]}`
      : `The sponsor of this lens pays at most ${credits} credits ${perPeriod[period]} for each caller`;
  return new DomainError(
    'INSUFFICIENT_CREDITS',
    `${rule}: ${spent} are spent and ${held} held, ${left} are left, and this run needs ${needed}`,
    { limitOf: of, limit: credits, period, spent, held, left, needed },
  );
}

const perPeriod: Readonly<Record<CreditLimit['period'], string>> = {
  day: 'a day (UTC)',
  month: 'a month',
  total: 'in all',
};
