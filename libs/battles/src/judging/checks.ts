import { isBlank } from '@lensforge/judges';
import { type CheckItem, type CheckJudgement, type Verdict, joinReasoning } from './judgements.js';

/** A deterministic check of a text. */
export type Check = { weight: number } & (
  | { type: 'equals' | 'contains'; value: string; ignoreCase?: boolean | undefined }
  /** A JavaScript regular expression with the flag `u`. */
  | { type: 'matches'; pattern: string; ignoreCase?: boolean | undefined }
  /** A schema with the keywords of output schemas. */
  | { type: 'json_schema'; schema: Readonly<Record<string, unknown>> }
  | { type: 'max_length'; characters: number }
  /** The score is the similarity, or 1 and 0 where `atLeast` is given. */
  | { type: 'similarity'; value: string; atLeast?: number | undefined }
  /** A CEL expression that is true or false, over `text` and `json`. */
  | { type: 'expression'; expression: string }
);

export const checkTypes = [
  'equals',
  'contains',
  'matches',
  'json_schema',
  'max_length',
  'similarity',
  'expression',
] as const satisfies readonly Check['type'][];

/** The limits of checks. Weights are above 0. */
export const checkLimits = {
  checks: 20,
  weight: 100,
  value: 100_000,
  pattern: 1000,
  expression: 4000,
  characters: 100_000,
} as const;

/** The result of one check: a score from 0 to 1 and its reason. */
export interface CheckResult {
  score: number;
  reason: string;
}

/** All texts by all checks. */
export const checkItems = (contenderIds: readonly string[], checks: readonly Check[]): CheckItem[] =>
  contenderIds.flatMap((contenderId) =>
    checks.map((_, check) => ({ key: `check:${contenderId}:${check}`, contenderId, check })),
  );

/** A verdict for each contender, with the weighted share of passed checks as score. */
export function checkVerdicts(
  contenderIds: readonly string[],
  checks: readonly Check[],
  judgements: readonly CheckJudgement[],
): Verdict[] {
  const total = checks.reduce((sum, { weight }) => sum + weight, 0);
  return contenderIds.map((contenderId) => {
    const results = checks.map((check, index) => {
      const judgement = judgements.find((each) => each.contenderId === contenderId && each.check === index);
      return { check, score: judgement?.score ?? 0, reasoning: judgement?.reasoning ?? 'not checked' };
    });
    const passed = results.filter(({ score }) => score === 1).length;
    return {
      contenderId,
      verdict: `${passed} of ${checks.length} checks passed`,
      score: results.reduce((sum, { check, score }) => sum + check.weight * score, 0) / total,
      reasoning: joinReasoning(
        results.map(({ check, score, reasoning }) => `${check.type}: ${rounded(score)}. The text ${reasoning}.`),
      ),
    };
  });
}

const rounded = (score: number): string => String(Math.round(score * 1000) / 1000);

/** A verdict for each contender of a battle without checks: 1 for an answer that is not empty. */
export const verdictsWithoutChecks = (texts: ReadonlyMap<string, string>): Verdict[] =>
  [...texts].map(([contenderId, text]) =>
    isBlank(text)
      ? { contenderId, verdict: 'empty', score: 0, reasoning: 'There are no checks, and the answer is empty.' }
      : { contenderId, verdict: 'answered', score: 1, reasoning: 'There are no checks, and the answer is not empty.' },
  );
