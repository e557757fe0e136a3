import { type Context, notFound, requireScope } from '@lensforge/core';
import { suspendedError } from '@lensforge/database';
import { EvaluationRuleRow } from './evaluation-rule.entity.js';

/** A rule of the caller that acts, locked until the transaction ends; NOT_FOUND for those of others. */
export async function writableRule(ctx: Context, id: string): Promise<EvaluationRuleRow> {
  const rule = await lockedRule(ctx, id);
  if (rule.suspendedAt) throw suspendedError('rule of evaluation');
  return rule;
}

/** A rule of the caller, locked until the transaction ends, also a suspended one. */
export async function lockedRule(ctx: Context, id: string): Promise<EvaluationRuleRow> {
  requireScope(ctx, 'lenses:write');
  const where = { id, accountId: ctx.actor.accountId };
  const found = await ctx.db.findOne(EvaluationRuleRow, { where, lock: { mode: 'pessimistic_write' } });
  if (!found) throw notFound('rule of evaluation', id);
  return found;
}
