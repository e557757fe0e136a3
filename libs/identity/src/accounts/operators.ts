import { recordAudit } from '@lensforge/audit';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';

/** Appoints a person as an operator of the installation, or dismisses them. A repeated call has no effect. */
export const setOperator = (
  ctx: Context,
  { accountId, operator }: { accountId: string; operator: boolean },
): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const changed = operator
      ? await ctx.db.query<unknown[]>(
          'insert into operators (account_id) values ($1) on conflict do nothing returning account_id',
          [accountId],
        )
      : (
          await ctx.db.query<[unknown[], number]>('delete from operators where account_id = $1 returning 1', [
            accountId,
          ])
        )[0];
    if (changed.length === 0) return;
    const action = operator ? 'operator.appointed' : 'operator.dismissed';
    await recordAudit(ctx, { accountId, action, target: { kind: 'account', id: accountId } });
  });

export async function requireOperator({ db, actor }: Context): Promise<void> {
  const found = await db.query<unknown[]>('select from operators where account_id = $1', [actor.accountId]);
  if (found.length > 0) return;
  throw new DomainError(
    'FORBIDDEN',
    'Only operators of this installation may do this: "lensforge-operate set-operator" appoints one',
  );
}
