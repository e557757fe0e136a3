import { type JudgeMethod, type ScorerRule, isRecord } from '@lensforge/contracts';
import { type Assertion, type Finding, baseType, toText } from './assertion.js';

/** The assertions that a judge decides, with the method that asks it. */
const methods = {
  'llm-rubric': 'rubric',
  'g-eval': 'rubric',
  'model-graded-closedqa': 'closedQuestion',
  factuality: 'factuality',
  'model-graded-factuality': 'factuality',
  'context-relevance': 'contextRelevance',
  'context-faithfulness': 'contextFaithfulness',
  'trajectory:goal-success': 'goalSuccess',
  similar: 'similarity',
} as const satisfies Record<string, JudgeMethod>;

export const judgedTypes = Object.keys(methods);

export const isJudgedType = (type: string): boolean => Object.hasOwn(methods, baseType(type));

/** The judged assertions of a list and of the sets in it, in order. */
export const listJudged = (assertions: readonly Assertion[]): Assertion[] =>
  assertions.flatMap((assertion) => (isJudgedType(assertion.type) ? [assertion] : listJudged(assertion.assert ?? [])));

/** The assertions with what a judge has found about each judged one, in the order of listJudged. */
export function withFindings(assertions: readonly Assertion[], found: Iterator<Finding>): Assertion[] {
  return assertions.map((assertion) => {
    if (isJudgedType(assertion.type)) return { ...assertion, found: found.next().value as Finding };
    return assertion.assert ? { ...assertion, assert: withFindings(assertion.assert, found) } : assertion;
  });
}

/** The rule by which a judge decides an assertion; similarity is not decided by the model that judges. */
export function toRule({ type, value, threshold }: Assertion, model: string | undefined): ScorerRule {
  const method: JudgeMethod = methods[baseType(type) as keyof typeof methods];
  const needsText = method === 'rubric' || method === 'closedQuestion' || method === 'goalSuccess';
  return {
    kind: 'model',
    method,
    ...(needsText && { rubric: toText(isRecord(value) ? value['goal'] : value) }),
    ...(threshold !== undefined && { threshold }),
    ...(model !== undefined && method !== 'similarity' && { model }),
  };
}
