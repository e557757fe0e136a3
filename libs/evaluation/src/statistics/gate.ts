import type { GateOutcome, GateResult, GateRule, RuleResult } from '@lensforge/contracts';
import type { Comparison, ScoreTable } from './analyse.js';
import { average, quantile, variance } from './intervals.js';
import { casesToFindLoss, casesToProveNoWorse } from './power.js';

/** The numbers of one arm that the rules of a gate look at. */
export interface ArmEvidence {
  name: string;
  /** Cells that have no score, since they failed or did not start. */
  missing: number;
  /** The same of the baseline, which would look worse than it is. */
  missingInBaseline: number;
  creditsPerCase: number;
  latencyP95Ms: number | null;
  /** By the name of the scorer. */
  scorers: ReadonlyMap<string, ScoreTable & { comparison: Comparison | null }>;
  /** The keys of cases that the baseline passes and this arm does not, with the tags of each. */
  newFailures: readonly { key: string; tags: readonly string[] }[];
}

type Verdict = Pick<RuleResult, 'result' | 'reason'>;

const power = 0.8;
const usual = { margin: 0.02, confidence: 0.95, find: 0.1 } as const;

/** Applies each rule to each arm. One that fails makes the gate fail; without one, an inconclusive one makes it inconclusive. */
export function decideGate(rules: readonly GateRule[], arms: readonly ArmEvidence[]): GateOutcome {
  const decided = arms.flatMap((arm) => rules.map((rule) => ({ arm: arm.name, rule, ...decideRule(rule, arm) })));
  const has = (result: GateResult): boolean => decided.some((each) => each.result === result);
  return { result: has('failed') ? 'failed' : has('inconclusive') ? 'inconclusive' : 'passed', rules: decided };
}

function decideRule(rule: GateRule, arm: ArmEvidence): Verdict {
  if (arm.missing > 0)
    return failed(`${count(arm.missing, 'cell')} of the arm ${arm.missing === 1 ? 'has' : 'have'} no score`);
  if (rule.maxCreditsPerCase !== undefined) {
    return atMost(arm.creditsPerCase, rule.maxCreditsPerCase, 'credits a case');
  }
  if (rule.maxLatencyP95Ms !== undefined) {
    if (arm.latencyP95Ms === null) return failed('no run has a latency');
    return atMost(arm.latencyP95Ms, rule.maxLatencyP95Ms, 'ms at the 95th percentile');
  }
  const isComparing = (rule.noNewFailures ?? rule.noProvenLoss ?? rule.provenNoWorse) !== undefined;
  if (isComparing && arm.missingInBaseline > 0) {
    return failed(
      `${count(arm.missingInBaseline, 'cell')} of the baseline ${arm.missingInBaseline === 1 ? 'has' : 'have'} no score`,
    );
  }
  if (rule.noNewFailures !== undefined) return noNewFailures(rule, arm);
  const table = arm.scorers.get(rule.scorer ?? '');
  if (!table) return failed(`there is no scorer ${rule.scorer}`);
  if (table.errors > 0) return failed(`${count(table.errors, 'score')} could not be made`);
  if (rule.min !== undefined) {
    const mean = average(table.scores.map(average));
    return mean >= rule.min
      ? passed(`the mean score is ${shown(mean)}`)
      : failed(`the mean score is ${shown(mean)}, and ${rule.min} is needed`);
  }
  if (!table.comparison) return failed('there is no baseline to compare with');
  return rule.provenNoWorse
    ? provenNoWorse({ ...usual, ...given(rule.provenNoWorse) }, table.comparison)
    : noProvenLoss({ ...usual, ...given(rule.noProvenLoss) }, table.comparison);
}

interface Loss {
  margin: number;
  confidence: number;
  find: number;
}

/** Fails on a loss beyond doubt. Without one it passes only if there are enough cases to find a loss. */
function noProvenLoss({ margin, confidence, find }: Loss, { differences, means }: Comparison): Verdict {
  const upper = quantile(means, confidence);
  const mean = average(differences);
  if (upper < -margin)
    return failed(`the score is ${shown(-mean)} lower than that of the baseline, at least ${shown(-upper)}`);
  const needed = casesToFindLoss(variance(differences), { loss: find, margin, confidence, power });
  if (differences.length >= needed) return passed(`no loss is proven: the difference is ${signed(mean)}`);
  return inconclusive(
    `${count(differences.length, 'case')} cannot show whether ${find} of the score is lost: ${more(needed, differences.length)}`,
  );
}

/** Passes on proof that there is no loss, and fails on proof that there is one. */
function provenNoWorse({ margin, confidence }: Loss, { differences, means }: Comparison): Verdict {
  const [lower, upper] = [quantile(means, 1 - confidence), quantile(means, confidence)];
  if (lower > -margin)
    return passed(`the score is at most ${shown(Math.max(0, -lower))} lower than that of the baseline`);
  if (upper < -margin) return failed(`the score is at least ${shown(-upper)} lower than that of the baseline`);
  const needed = Math.max(
    casesToProveNoWorse(variance(differences), { margin, confidence, power }),
    differences.length + 1,
  );
  return inconclusive(
    `the score may be ${shown(-lower)} lower than that of the baseline: ${more(needed, differences.length)}`,
  );
}

function noNewFailures({ tags = [] }: GateRule, { newFailures }: ArmEvidence): Verdict {
  const found = newFailures.filter((each) => tags.length === 0 || tags.some((tag) => each.tags.includes(tag)));
  if (found.length === 0) return passed('no case fails that the baseline passes');
  const some = found.slice(0, 5).map(({ key }) => key);
  const rest = found.length > some.length ? ` and ${found.length - some.length} more` : '';
  return failed(`${count(found.length, 'case')} that the baseline passes: ${some.join(', ')}${rest}`);
}

const passed = (reason: string): Verdict => ({ result: 'passed', reason });
const failed = (reason: string): Verdict => ({ result: 'failed', reason });
const inconclusive = (reason: string): Verdict => ({ result: 'inconclusive', reason });

const atMost = (value: number, most: number, what: string): Verdict =>
  value <= most ? passed(`${shown(value)} ${what}`) : failed(`${shown(value)} ${what}, and ${most} are allowed`);

const more = (needed: number, has: number): string =>
  Number.isFinite(needed)
    ? `${needed} cases would do, or about ${Math.ceil(needed / has)} times the repetitions where answers vary`
    : 'no number of cases would do with this margin';

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
const shown = (number: number): string => String(Math.round(number * 1000) / 1000);
const signed = (number: number): string => (number > 0 ? `+${shown(number)}` : shown(number));

/** The members of a rule that are given. */
const given = (rule: Partial<Loss> = {}): Partial<Loss> =>
  Object.fromEntries(Object.entries<number | undefined>(rule).filter(([, value]) => value !== undefined));
