import type { JudgeMethod, ScorerKind, ScorerRule } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { modelNamed } from '@lensforge/models';
import { readAssertions } from '../checks/read-assertions.js';

/** The members of a rule, by its kind. */
const members: Readonly<Record<ScorerKind, readonly (keyof ScorerRule)[]>> = {
  check: ['kind', 'assertions', 'model', 'threshold'],
  model: ['kind', 'method', 'rubric', 'criteria', 'context', 'model', 'threshold'],
  pairwise: ['kind', 'model', 'threshold'],
  http: ['kind', 'url', 'threshold'],
};

/** The member that a method needs, if any. */
const needed: Readonly<Record<JudgeMethod, 'rubric' | 'criteria' | undefined>> = {
  rubric: 'rubric',
  closedQuestion: 'rubric',
  goalSuccess: 'rubric',
  criteria: 'criteria',
  factuality: undefined,
  contextRelevance: undefined,
  contextFaithfulness: undefined,
  similarity: undefined,
};

/** Checks the rule of a scorer and leaves out members without a value; a fault names its place. */
export async function readRule(ctx: Context, rule: ScorerRule, path: string): Promise<ScorerRule> {
  const given = Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined)) as ScorerRule &
    object;
  const foreign = Object.keys(given).find((name) => !members[rule.kind].some((each) => each === name));
  if (foreign !== undefined) throw badInput(`${path}.${foreign}`, `is not used with the kind ${rule.kind}`);
  if (rule.kind === 'check') readAssertions(rule.assertions ?? [], `${path}.assertions`);
  if (rule.kind === 'model') checkMethod(rule, path);
  if (rule.kind === 'http') checkAddress(rule.url, `${path}.url`);
  if (rule.model !== undefined) await requireJudge(ctx, rule, `${path}.model`);
  return given;
}

/** Each call checks that the address is public, because a DNS record may change. */
function checkAddress(text: string | undefined, path: string): void {
  if (text === undefined) throw badInput(path, 'is required with the kind http');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') throw badInput(path, 'must be an https:// address');
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw badInput(path, 'must not carry a user name, a password or a fragment');
  }
}

function checkMethod({ method, rubric, criteria, context }: ScorerRule, path: string): void {
  if (method === undefined) throw badInput(`${path}.method`, 'is required with the kind model');
  const given = { rubric, criteria };
  for (const name of ['rubric', 'criteria'] as const) {
    if ((needed[method] === name) === (given[name] !== undefined)) continue;
    throw badInput(
      `${path}.${name}`,
      needed[method] === name ? `is required with ${method}` : `is not used with ${method}`,
    );
  }
  if (context !== undefined && !method.startsWith('context')) {
    throw badInput(`${path}.context`, `is not used with ${method}`);
  }
  const names = (criteria ?? []).map(({ name }) => name.trim().toLowerCase());
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0) throw badInput(`${path}.criteria.${twice}.name`, 'is the name of an earlier criterion');
}

/** Refuses a judge that is not offered or cannot answer JSON, or make embeddings where they are compared. */
async function requireJudge({ db }: Context, { model: name = '', method }: ScorerRule, path: string): Promise<void> {
  const needed = method === 'similarity' ? 'embeddings' : 'json';
  const model = await modelNamed(db, name);
  if (model?.capabilities.includes(needed)) return;
  throw badInput(path, `names no model with the capability ${needed}; GET /v1/models?capability=${needed} lists them`);
}
