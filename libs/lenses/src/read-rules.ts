import type { LabelRules } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readApprovers } from '@lensforge/identity';

/** The rules of a request with the ids of the people who may approve. */
export async function readRules(
  ctx: Context,
  accountId: string,
  rules: LabelRules | null | undefined,
): Promise<{ rules?: LabelRules | null }> {
  if (!rules?.secondPerson) return rules === undefined ? {} : { rules };
  const approvers = await readApprovers(ctx, accountId, rules.secondPerson.approvers);
  return { rules: { ...rules, secondPerson: approvers ? { approvers } : {} } };
}
