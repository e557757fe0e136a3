import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, decimal, flag, integer, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind } from '../schema/kinds.js';
import { PageQuery } from '../schema/paging.js';
import { RunScore } from './run-scores.js';
import { RunPath, runReadScopes } from './runs.js';
import { ScorerReference, type ScorerKind, nameOfScorer, scorerKinds } from './scorers.js';
import { type SuspendedReason, TriggerAuthority, ofSuspendedReason, suspendedReasons } from './trigger-authority.js';

const share = {
  min: 0.01,
  max: 100,
  optional: true,
  description:
    'The percentage of the runs that are evaluated, by a hash of their ids; 100 when absent. A larger one keeps the runs of a smaller one.',
} as const;
const creditsPerDay = {
  min: 0,
  max: 1_000_000_000,
  optional: true,
  description:
    'The credits that judges may cost from midnight to midnight UTC; 1,000 when absent. After that, runs are skipped that need a judge.',
} as const;
const scorersOfRule = {
  min: 1,
  max: 10,
  description: 'Stored scorers of the kinds check, model and http, in the version that is the newest now or named.',
} as const;

export class EvaluationRuleCreate {
  @text({ ...nameOfScorer, description: 'Letters, digits, dots, dashes and underscores; unique in the account.' })
  name!: string;

  @uuid({ optional: true, description: 'The lens whose runs are evaluated.' })
  lensId?: string;

  @uuid({ optional: true, description: 'The workflow whose runs are evaluated, when no lens is given.' })
  workflowId?: string;

  @text({ min: 1, max: 60, optional: true, description: 'Only runs for which this label decided about the version.' })
  label?: string;

  @text({ min: 1, max: 60, optional: true, description: 'Only runs with this tag.' })
  tag?: string;

  @decimal(share)
  share?: number;

  @list(nestedKind(() => ScorerReference), scorersOfRule)
  scorers!: ScorerReference[];

  @integer(creditsPerDay)
  creditsPerDay?: number;
}

export class EvaluationRuleUpdate {
  @decimal(share)
  share?: number;

  @list(nestedKind(() => ScorerReference), { ...scorersOfRule, optional: true })
  scorers?: ScorerReference[];

  @integer(creditsPerDay)
  creditsPerDay?: number;

  @flag({ optional: true, description: 'false: no run is evaluated until it is true again.' })
  enabled?: boolean;
}

export class EvaluationRulePath {
  @uuid({ description: 'The rule.' })
  ruleId!: string;
}

export class EvaluationRulesQuery extends PageQuery {
  @uuid({ optional: true, description: 'Only rules of this lens.' })
  lensId?: string;

  @uuid({ optional: true, description: 'Only rules of this workflow.' })
  workflowId?: string;
}

/** A scorer of a rule. */
export class RuleScorer {
  @uuid()
  id!: string;

  @text()
  name!: string;

  @integer({ min: 1 })
  version!: number;

  @oneOf(scorerKinds)
  kind!: ScorerKind;
}

/** A rule by which runs get scores when they have ended. */
export class EvaluationRule {
  @uuid()
  id!: string;

  @text()
  name!: string;

  @uuid({ nullable: true })
  lensId!: string | null;

  @uuid({ nullable: true })
  workflowId!: string | null;

  @text({ nullable: true })
  label!: string | null;

  @text({ nullable: true })
  tag!: string | null;

  @decimal({ min: 0, max: 100, description: 'The percentage of the runs that are evaluated.' })
  share!: number;

  @list(nestedKind(() => RuleScorer))
  scorers!: RuleScorer[];

  @integer({ min: 0 })
  creditsPerDay!: number;

  @integer({ min: 0, description: 'The credits that its judges have cost since midnight UTC.' })
  creditsToday!: number;

  @integer({ min: 0, description: 'The runs that wait for their evaluation.' })
  pending!: number;

  @flag()
  enabled!: boolean;

  @nested(() => TriggerAuthority)
  authority!: TriggerAuthority;

  @oneOf(suspendedReasons, ofSuspendedReason)
  suspendedReason!: SuspendedReason | null;

  @dateTime()
  createdAt!: string;

  @dateTime()
  updatedAt!: string;
}

export class EvaluationRuleRemoved {
  @uuid()
  ruleId!: string;

  @flag()
  removed!: boolean;
}

export class BackfillRequest {
  @dateTime({ description: 'Runs accepted at or after this time.' })
  from!: string;

  @dateTime({ optional: true, description: 'Runs accepted before this time; now when absent.' })
  to?: string;
}

export class Backfill {
  @integer({ min: 0, description: 'The runs in the range that were looked at, the newest first.' })
  runs!: number;

  @integer({
    min: 0,
    description:
      'The runs that wait for their evaluation now; others are outside of the filter or the share, or were evaluated before.',
  })
  added!: number;

  @dateTime({
    nullable: true,
    description: 'Earlier runs were not looked at: repeat the request with this as to. null when all were.',
  })
  continueWith!: string | null;
}

export const evaluationStates = ['evaluated', 'skipped', 'pending'] as const;
export type EvaluationState = (typeof evaluationStates)[number];

/** The evaluation of a run by a rule. */
export class RunEvaluation {
  @uuid()
  ruleId!: string;

  @text({ description: 'The name of the rule.' })
  rule!: string;

  @oneOf(evaluationStates)
  state!: EvaluationState;

  @text({ nullable: true, description: 'Why the run was skipped or waits.' })
  reason!: string | null;

  @integer({ min: 0, description: 'The credits that judges have cost.' })
  credits!: number;

  @list(nestedKind(() => RunScore))
  scores!: RunScore[];

  @dateTime({ nullable: true, description: 'When it was evaluated or skipped.' })
  endedAt!: string | null;
}

export const evaluationRuleEndpoints = defineEndpoints({
  listEvaluationRules: {
    route: 'GET /v1/evaluation-rules',
    summary: "Lists the caller's rules of evaluation, the newest first",
    description:
      'Each rule has its filter, its scorers, what its judges have cost today, and the number of runs that wait.',
    query: EvaluationRulesQuery,
    reply: EvaluationRule,
    scopes: ['lenses:read'],
    rate: 'list',
    replies: 'list',
  },
  createEvaluationRule: {
    route: 'POST /v1/evaluation-rules',
    summary: 'Creates a rule by which a share of the runs of a lens or workflow gets scores',
    description:
      'It evaluates runs of the caller that are accepted from now on, when they have succeeded; those of experiments and battles are left out. Judges act with the rights of the caller.',
    body: EvaluationRuleCreate,
    reply: EvaluationRule,
    status: 201,
    scopes: ['lenses:write'],
    rate: 'create',
    errors: [404, 409],
  },
  getEvaluationRule: {
    route: 'GET /v1/evaluation-rules/{ruleId}',
    summary: 'Reads a rule of evaluation',
    description: 'Shows its filter, its scorers, what its judges have cost today, and the number of runs that wait.',
    params: EvaluationRulePath,
    reply: EvaluationRule,
    scopes: ['lenses:read'],
    rate: 'read',
  },
  updateEvaluationRule: {
    route: 'PATCH /v1/evaluation-rules/{ruleId}',
    summary: 'Changes a rule of evaluation, or switches it on or off',
    description:
      'Runs that wait are evaluated by the new scorers. A credential with fewer rights reduces those of the rule to its own. A suspended rule is refused with 409.',
    params: EvaluationRulePath,
    body: EvaluationRuleUpdate,
    reply: EvaluationRule,
    scopes: ['lenses:write'],
    rate: 'write',
    errors: [409],
  },
  removeEvaluationRule: {
    route: 'DELETE /v1/evaluation-rules/{ruleId}',
    summary: 'Deletes a rule of evaluation; the scores of its runs stay',
    description: 'Runs that wait are not evaluated any more.',
    params: EvaluationRulePath,
    reply: EvaluationRuleRemoved,
    scopes: ['lenses:write'],
    rate: 'write',
  },
  backfillEvaluationRule: {
    route: 'POST /v1/evaluation-rules/{ruleId}/backfill',
    summary: 'Lets a rule evaluate runs that were accepted earlier',
    description:
      'Filter, share and credits of the rule count for them too. A request looks at 10,000 runs; continueWith says where the next one begins.',
    params: EvaluationRulePath,
    body: BackfillRequest,
    reply: Backfill,
    scopes: ['lenses:write'],
    rate: 'expensive',
    errors: [409],
  },
  takeOverEvaluationRule: {
    route: 'POST /v1/evaluation-rules/{ruleId}/take-over',
    summary: 'Gives a rule of evaluation the rights of the caller, and ends its suspension',
    description:
      'Judges act with the rights of the caller from now on. Runs of the time of the suspension can be evaluated by a backfill.',
    params: EvaluationRulePath,
    reply: EvaluationRule,
    scopes: ['lenses:write'],
    rate: 'write',
  },
  listRunEvaluations: {
    route: 'GET /v1/runs/{runId}/evaluations',
    summary: 'Says of each rule of evaluation what it has done with a run, and why',
    description:
      'A run was evaluated, was skipped for a reason, or waits. Rules of other lenses and workflows are left out.',
    params: RunPath,
    query: PageQuery,
    reply: RunEvaluation,
    scopes: runReadScopes,
    rate: 'read',
    replies: 'list',
  },
});
