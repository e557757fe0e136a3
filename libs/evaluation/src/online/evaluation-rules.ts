import { recordAudit } from '@lensforge/audit';
import type {
  EvaluationRule,
  EvaluationRuleCreate,
  EvaluationRuleRemoved,
  EvaluationRuleUpdate,
  ScorerReference,
  UsedScorer,
} from '@lensforge/contracts';
import {
  type Context,
  DomainError,
  type Page,
  type PageRequest,
  badInput,
  decodeCursor,
  encodeCursor,
  newId,
  notFound,
  requireScope,
  toPage,
} from '@lensforge/core';
import {
  authorityMember,
  inTransaction,
  narrowAuthority,
  requireBelowLimit,
  storedAuthority,
  toJsonb,
} from '@lensforge/database';
import { readableLens } from '@lensforge/lenses';
import { readableWorkflow } from '@lensforge/workflows';
import { readStoredScorers } from '../scorers/stored-scorers.js';
import { EvaluationRuleRow, RunEvaluationRow } from './evaluation-rule.entity.js';
import { lockedRule, writableRule } from './rule-access.js';

const maxRules = 100;
const usualCreditsPerDay = 1000;

/** Creates a rule that evaluates runs of the caller which are accepted from now on. */
export async function createEvaluationRule(ctx: Context, order: EvaluationRuleCreate): Promise<EvaluationRule> {
  requireScope(ctx, 'lenses:write');
  const { name, lensId, workflowId, label = null, tag = null, share = 100 } = order;
  if ((lensId === undefined) === (workflowId === undefined)) throw badInput('lensId', 'or workflowId is required');
  if (lensId !== undefined) await readableLens(ctx, lensId);
  if (workflowId !== undefined) await readableWorkflow(ctx, workflowId);
  const scorers = await readScorers(ctx, order.scorers);
  const { accountId } = ctx.actor;
  return inTransaction(ctx, async (ctx) => {
    const limit = { what: 'rules of evaluation', accountId, max: maxRules };
    await requireBelowLimit(ctx, { ...limit, from: 'evaluation_rules where account_id = $1' });
    const id = newId();
    const { authority, creatorId } = await storedAuthority(ctx);
    const { creditsPerDay = usualCreditsPerDay } = order;
    const rows = await ctx.db.query<unknown[]>(
      `insert into evaluation_rules (id, account_id, name, lens_id, workflow_id, label, tag, share, scorers, credits_per_day,
                                     authority, creator_id, seen_until, due_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, now(), now(), now(), now())
       on conflict (account_id, name) do nothing returning id`,
      [
        ...[id, accountId, name, lensId ?? null, workflowId ?? null, label, tag, share / 100, toJsonb(scorers)],
        ...[creditsPerDay, toJsonb(authority), creatorId],
      ],
    );
    if (rows.length === 0) {
      throw new DomainError('CONFLICT', `You have a rule of evaluation with the name ${name}: choose another one`);
    }
    return readEvaluationRule(ctx, id);
  });
}

/** Changes a rule of the caller; a credential with fewer rights reduces those of the rule to its own. */
export async function updateEvaluationRule(
  ctx: Context,
  { ruleId, share, scorers: references, creditsPerDay, enabled }: { ruleId: string } & EvaluationRuleUpdate,
): Promise<EvaluationRule> {
  const scorers = references && (await readScorers(ctx, references));
  return inTransaction(ctx, async (ctx) => {
    const rule = await writableRule(ctx, ruleId);
    const { id } = rule;
    // Runs of the time without it can be evaluated by a backfill.
    if (enabled && !rule.enabled) rule.seenUntil = ctx.now();
    await ctx.db.save(EvaluationRuleRow, {
      ...rule,
      share: share === undefined ? rule.share : share / 100,
      scorers: scorers ?? rule.scorers,
      creditsPerDay: creditsPerDay === undefined ? rule.creditsPerDay : String(creditsPerDay),
      enabled: enabled ?? rule.enabled,
      updatedAt: ctx.now(),
    });
    // Answers to the questions of other scorers do not count.
    if (scorers) await ctx.db.update(RunEvaluationRow, { ruleId: id, state: 'pending' }, { asked: null });
    await narrowAuthority(ctx, 'evaluation_rules', id);
    return readEvaluationRule(ctx, id);
  });
}

/** Gives a rule the rights of the caller; a suspended one acts again. */
export function takeOverEvaluationRule(ctx: Context, ruleId: string): Promise<EvaluationRule> {
  return inTransaction(ctx, async (ctx) => {
    const stored = await storedAuthority(ctx);
    const { id, name, suspendedAt } = await lockedRule(ctx, ruleId);
    await ctx.db.update(
      EvaluationRuleRow,
      { id },
      {
        ...stored,
        ...(suspendedAt && { seenUntil: ctx.now() }),
        suspendedAt: null,
        suspendedReason: null,
        updatedAt: ctx.now(),
      },
    );
    await recordAudit(ctx, {
      accountId: ctx.actor.accountId,
      action: 'delegation.taken_over',
      target: { kind: 'evaluation_rule', id },
      details: { name },
    });
    return readEvaluationRule(ctx, id);
  });
}

/** Deletes a rule of the caller with the runs that wait for it. */
export function removeEvaluationRule(ctx: Context, ruleId: string): Promise<EvaluationRuleRemoved> {
  return inTransaction(ctx, async (ctx) => {
    const { id } = await lockedRule(ctx, ruleId);
    await ctx.db.delete(RunEvaluationRow, { ruleId: id, state: 'pending' });
    await ctx.db.delete(EvaluationRuleRow, { id });
    return { ruleId: id, removed: true };
  });
}

/** Deletes all rules of the caller, whose account is closed. */
export async function eraseEvaluationRules(ctx: Context): Promise<void> {
  await ctx.db.delete(EvaluationRuleRow, { accountId: ctx.actor.accountId });
}

export async function readEvaluationRule(ctx: Context, ruleId: string): Promise<EvaluationRule> {
  requireScope(ctx, 'lenses:read');
  const [found] = await select(ctx, { condition: 'r.id = $2', parameters: [ruleId] });
  if (!found) throw notFound('rule of evaluation', ruleId);
  return found;
}

/** Lists the rules of the caller, the newest first. */
export async function listEvaluationRules(
  ctx: Context,
  { lensId, workflowId, ...page }: { lensId?: string | undefined; workflowId?: string | undefined } & PageRequest,
): Promise<Page<EvaluationRule>> {
  requireScope(ctx, 'lenses:read');
  const { limit, offset = 0, cursor } = page;
  const rules = await select(ctx, {
    condition: `($2::uuid is null or r.lens_id = $2) and ($3::uuid is null or r.workflow_id = $3) and ($4::uuid is null or r.id < $4)`,
    parameters: [lensId ?? null, workflowId ?? null, cursor === undefined ? null : decodeCursor(cursor).id],
    page: `order by r.id desc limit ${limit + 1} offset ${offset}`,
  });
  return toPage(rules, page, ({ createdAt: at, id }) => encodeCursor({ at, id }));
}

const select = (
  { db, actor }: Context,
  { condition, parameters, page = '' }: { condition: string; parameters: unknown[]; page?: string },
): Promise<EvaluationRule[]> =>
  db.query(
    `select r.id, r.name, r.lens_id as "lensId", r.workflow_id as "workflowId", r.label, r.tag, r.share * 100 as share,
            (select json_agg(json_build_object('id', s ->> 'scorerId', 'name', s ->> 'name', 'version', s -> 'version', 'kind', s ->> 'kind'))
               from json_array_elements(r.scorers) s) as scorers,
            r.credits_per_day::float8 as "creditsPerDay",
            case when r.spent_on = (now() at time zone 'utc')::date then r.spent else 0 end::float8 as "creditsToday",
            (select count(*)::int from run_evaluations e where e.rule_id = r.id and e.state = 'pending') as pending,
            r.enabled, ${authorityMember('r')}, iso(r.created_at) as "createdAt", iso(r.updated_at) as "updatedAt"
       from evaluation_rules r where r.account_id = $1 and ${condition} ${page}`,
    [actor.accountId, ...parameters],
  );

/** The scorers of a rule in their present version. Production has no baseline to compare with. */
async function readScorers(ctx: Context, references: readonly ScorerReference[]): Promise<UsedScorer[]> {
  const scorers = await readStoredScorers(ctx, references);
  const compared = scorers.findIndex(({ kind }) => kind === 'pairwise');
  if (compared >= 0)
    throw badInput(`scorers.${compared}`, 'compares with a baseline, which runs of callers do not have');
  if (new Set(scorers.map(({ scorerId }) => scorerId)).size < scorers.length) {
    throw badInput('scorers', 'name one scorer twice');
  }
  return scorers;
}
