import type { AssertionScore, Score } from '@lensforge/contracts';
import { type Assertion, type Finding, type Subject, baseType, rounded, toText } from './assertion.js';
import { AssertionFault } from './assertion-fault.js';
import { comparisons } from './comparisons.js';
import { isAboutToolCalls } from './trajectories.js';
import { fillValues } from './fill-values.js';
import { isJudgedType, judgedTypes } from './judged-assertions.js';
import type { Evaluate } from './javascript.js';

export interface Check {
  assertions: readonly Assertion[];
  /** The score from which an output passes; all assertions must pass when absent. */
  threshold?: number | undefined;
}

export type CheckScore = Pick<Score, 'pass' | 'score' | 'reason' | 'assertions'>;

/** The types that need an interpreter. */
export const needsJavascript = ({ type, transform, assert = [] }: Assertion): boolean =>
  baseType(type) === 'javascript' || transform !== undefined || assert.some(needsJavascript);

/** True for assertions about the calls of tools. */
export const needsToolCalls = ({ type, assert = [] }: Assertion): boolean =>
  isAboutToolCalls(baseType(type)) || assert.some(needsToolCalls);

export const knownTypes = [...Object.keys(comparisons), ...judgedTypes, 'javascript', 'assert-set'];

/** The mean of the scores of all assertions by their weights; without assertions a full score. */
export function checkOutput({ assertions, threshold }: Check, subject: Subject, evaluate?: Evaluate): CheckScore {
  const results = assertions.map((assertion) => ({
    type: assertion.type,
    weight: assertion.weight ?? 1,
    ...judge(assertion, subject, evaluate),
  }));
  const weights = results.reduce((sum, { weight }) => sum + weight, 0);
  const score = weights === 0 ? 1 : results.reduce((sum, each) => sum + each.weight * each.score, 0) / weights;
  const failed = results.filter(({ pass, weight }) => !pass && weight > 0);
  const pass = threshold === undefined ? failed.length === 0 : score >= threshold;
  const ordered: AssertionScore[] = results
    .map(({ weight, pass, ...result }) => ({ ...result, pass: pass || weight === 0 }))
    .toSorted((a, b) => Number(a.pass) - Number(b.pass));
  return {
    pass,
    score,
    reason: describe(pass, failed, { score, threshold, count: results.length }),
    assertions: ordered,
  };
}

function describe(
  pass: boolean,
  failed: readonly (Finding & { type: string })[],
  { score, threshold, count }: { score: number; threshold: number | undefined; count: number },
): string {
  if (threshold !== undefined) return `the score is ${rounded(score)}, and ${threshold} is needed`;
  const [first] = failed;
  if (pass || !first) return count === 1 ? 'the assertion passes' : `all ${count} assertions pass`;
  return failed.length === 1
    ? `${first.type}: ${first.reason}`
    : `${first.type}: ${first.reason}; ${failed.length - 1} more`;
}

/** A fault of the assertion does not pass, whether it is negated or not. */
function judge(assertion: Assertion, subject: Subject, evaluate: Evaluate | undefined): Finding {
  try {
    return find(assertion, subject, evaluate);
  } catch (reason) {
    if (!(reason instanceof Error)) throw reason;
    const fault = reason instanceof AssertionFault ? reason.message : `could not be computed: ${reason.message}`;
    return { pass: false, score: 0, reason: fault };
  }
}

function find(assertion: Assertion, subject: Subject, evaluate: Evaluate | undefined): Finding {
  const { type, threshold, assert = [], transform } = assertion;
  const base = baseType(type);
  if (base === 'assert-set') {
    const { pass, score, reason } = checkOutput({ assertions: assert, threshold }, subject, evaluate);
    return { pass, score, reason };
  }
  if (isJudgedType(type)) return negated(assertion, requireFinding(assertion));
  const output = transform === undefined ? subject.output : toText(run(evaluate, transform, subject.output, subject));
  const value = valueOf(assertion, subject);
  const found =
    base === 'javascript'
      ? ofResult(run(evaluate, String(value), output, subject), threshold)
      : compare(base, { output, value, threshold, subject });
  return negated(assertion, found);
}

const negated = ({ type }: Assertion, found: Finding): Finding =>
  type === baseType(type) ? found : { pass: !found.pass, score: 1 - found.score, reason: negate(found.reason) };

function requireFinding({ found }: Assertion): Finding {
  if (!found) throw new AssertionFault('is decided by a judge, and none was asked');
  return found;
}

const negate = (reason: string): string =>
  reason.includes(' should ') ? reason.replace(' should ', ' should not ') : `not: ${reason}`;

function compare(type: string, comparison: Parameters<(typeof comparisons)[string]>[0]): Finding {
  const found = Object.hasOwn(comparisons, type) ? comparisons[type] : undefined;
  if (!found) throw new AssertionFault(`there is no assertion of the type ${type}`);
  return found(comparison);
}

/** The value with the parameters of the case in place of {{names}}; what is expected when there is none. */
function valueOf({ type, value }: Assertion, { params, expected }: Subject): unknown {
  if (value === undefined) return comparesWithExpected.has(baseType(type)) ? (expected ?? undefined) : undefined;
  return fill(value, { expected, ...params });
}

/** The types whose value says what is expected; the values of others say how to check. */
const comparesWithExpected = new Set([
  ...[
    'equals',
    'contains',
    'icontains',
    'contains-any',
    'icontains-any',
    'contains-all',
    'icontains-all',
    'starts-with',
  ],
  ...['levenshtein', 'rouge-n', 'bleu', 'gleu'],
]);

function fill(value: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((each) => fill(each, values));
  if (typeof value !== 'string') return value;
  return fillValues(value, values);
}

function run(evaluate: Evaluate | undefined, code: string, output: string, { params, expected }: Subject): unknown {
  if (!evaluate) throw new AssertionFault('needs an interpreter');
  return evaluate(code, output, { vars: params, expected });
}

/** The result of JavaScript: true or false, a score, or {pass, score, reason}. */
function ofResult(result: unknown, threshold: number | undefined): Finding {
  if (typeof result === 'boolean')
    return { pass: result, score: result ? 1 : 0, reason: `the code returned ${result}` };
  if (typeof result === 'number') {
    const score = Math.min(1, Math.max(0, result));
    return {
      pass: threshold === undefined ? result > 0 : result >= threshold,
      score,
      reason: `the code returned ${result}`,
    };
  }
  if (typeof result === 'object' && result !== null && 'pass' in result) {
    const { pass, score, reason } = result as { pass: unknown; score?: unknown; reason?: unknown };
    const number = typeof score === 'number' ? Math.min(1, Math.max(0, score)) : pass === true ? 1 : 0;
    return {
      pass: pass === true && (threshold === undefined || number >= threshold),
      score: number,
      reason: typeof reason === 'string' ? reason : 'the code decided',
    };
  }
  throw new AssertionFault('must return true, false, a number or {pass, score, reason}');
}
