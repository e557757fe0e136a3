import type { Authority, Context } from '@lensforge/core';
import { chooseNewRuns } from './choose-runs.js';
import { EvaluationRuleRow } from './evaluation-rule.entity.js';
import { type EndedEvaluations, evaluatePending } from './evaluate-pending.js';

const passMs = 60_000;
const idleMs = 5000;
const isDue = `enabled and suspended_at is null and due_at <= now()
  and exists (select from accounts a where a.id = account_id and a.disabled_at is null)`;
const none: EndedEvaluations = { evaluated: 0, skipped: 0 };

/** Makes the passes of rules that are due. Each chooses new runs and evaluates some that wait; returns how many ended. */
export async function advanceEvaluationRules(ctx: Context, parts: PassParts): Promise<EndedEvaluations> {
  const total = { evaluated: 0, skipped: 0 };
  while (parts.goesOn()) {
    const claimed = await claimRule(ctx);
    if (!claimed) break;
    const { evaluated, skipped } = await makePass(ctx, claimed, parts);
    total.evaluated += evaluated;
    total.skipped += skipped;
  }
  return total;
}

/** The seconds since the rule that waits longest was due; 0 when none is. */
export async function readEvaluationLag({ db }: Context): Promise<number> {
  const [{ seconds }] = await db.query<[{ seconds: number }]>(
    `select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as seconds
       from evaluation_rules where ${isDue}`,
  );
  return seconds;
}

interface PassParts {
  /** The longest execution of a judge. */
  timeoutMs: number;
  /** False ends the work before the next pass. */
  goesOn: () => boolean;
}

interface ClaimedRule {
  id: string;
  /** The end of the pass in ISO; another pass has another one. */
  until: string;
  /** null when the token with whose rights it acts was revoked. */
  authority: Authority | null;
}

/** The rule that is due longest; no other process gets it until its pass is over or was lost. */
async function claimRule({ db }: Context): Promise<ClaimedRule | undefined> {
  const [[claimed]] = await db.query<[ClaimedRule[], number]>(
    `update evaluation_rules set due_at = now() + $1 * interval '1 ms'
      where id = (select id from evaluation_rules where ${isDue}
                   order by due_at limit 1 for update skip locked)
     returning id, due_at::text as until, current_authority(authority) as authority`,
    [passMs],
  );
  return claimed;
}

async function makePass(
  ctx: Context,
  { id, until, authority }: ClaimedRule,
  { timeoutMs }: PassParts,
): Promise<EndedEvaluations> {
  if (authority === null) {
    const suspended = { suspendedAt: ctx.now(), suspendedReason: 'credential_revoked' };
    await ctx.db.update(EvaluationRuleRow, { id }, suspended);
    return none;
  }
  const rule = await ctx.db.findOneBy(EvaluationRuleRow, { id });
  if (!rule) return none;
  const hasMore = await chooseNewRuns(ctx, rule);
  const ended = await evaluatePending(ctx, { ...rule, authority }, timeoutMs);
  await ctx.db.query(
    `update evaluation_rules set due_at = now() + $3 * interval '1 ms' where id = $1 and due_at = $2::timestamptz`,
    [id, until, hasMore || ended.evaluated + ended.skipped > 0 ? 0 : idleMs],
  );
  return ended;
}
