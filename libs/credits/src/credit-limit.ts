import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';

/** A limit beside the balance: so many credits of a month, or in all, may be spent or held under this id. */
export interface CreditLimit {
  id: string;
  credits: number;
  period: 'month' | 'total';
  /** Whose limit it is, as the refusal names it. */
  of: 'token' | 'sponsorship';
}

export interface LimitUse {
  held: number;
  /** In the present month, or in all, as the limit counts. */
  spent: number;
}

const month = `date_trunc('month', now() at time zone 'UTC')::date`;

/** Counts a hold against limits, one row each, so that concurrent holds see each other. In the transaction of the hold. */
export async function countAgainst(ctx: Context, limits: readonly CreditLimit[], amount: number): Promise<void> {
  for (const limit of limits.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const counted = await ctx.db.query<unknown[]>(
      `insert into credit_uses as u (id, month, held) select $1, ${month}, $2 where $2::bigint <= $3::bigint
       on conflict (id) do update
          set held = u.held + excluded.held, month = excluded.month,
              spent_in_month = case when u.month = excluded.month then u.spent_in_month else 0 end
        where u.held + excluded.held + case when $4 = 'total' then u.spent
              when u.month = excluded.month then u.spent_in_month else 0 end <= $3::bigint
       returning id`,
      [limit.id, amount, limit.credits, limit.period],
    );
    if (counted.length === 0) throw await refusal(ctx, limit, amount);
  }
}

/** Ends what countAgainst began. */
export async function settleUses(ctx: Context, ids: readonly string[], held: number, cost: number): Promise<void> {
  for (const id of ids.toSorted()) {
    await ctx.db.query(
      `update credit_uses set held = held - $2, spent = spent + $3, month = ${month},
              spent_in_month = $3 + case when month = ${month} then spent_in_month else 0 end
        where id = $1`,
      [id, held, cost],
    );
  }
}

export async function useOf(ctx: Context, { id, period }: Pick<CreditLimit, 'id' | 'period'>): Promise<LimitUse> {
  const [use] = await ctx.db.query<LimitUse[]>(
    `select held::float8 as held,
            case when $2 = 'total' then spent when month = ${month} then spent_in_month else 0 end::float8 as spent
       from credit_uses where id = $1`,
    [id, period],
  );
  return use ?? { held: 0, spent: 0 };
}

async function refusal(ctx: Context, limit: CreditLimit, needed: number): Promise<DomainError> {
  const { credits, period, of } = limit;
  if (of === 'sponsorship') {
    return new DomainError('INSUFFICIENT_CREDITS', 'The sponsor pool has too few credits left for this run', {
      limitOf: of,
    });
  }
  const { held, spent } = await useOf(ctx, limit);
  const per = period === 'month' ? 'a month' : 'in all';
  return new DomainError(
    'INSUFFICIENT_CREDITS',
    `This token may spend ${credits} credits ${per}: ${spent} are spent and ${held} held, and this run needs ${needed}`,
    { limitOf: of, limit: credits, period, spent, held, needed },
  );
}
