import type { LabelBounds } from '@lensforge/contracts';
import type { ReleasedRun } from '@lensforge/runs';
import { type BoundClaim, bet, newStakes, refuses } from '../statistics/sequential.js';

const usualMinRuns = 100;
/** The most outcomes that wait for runs of the other version. */
const mostWaiting = 1000;
/** The share of runs that may be slower or dearer than a bound says. */
const exceptions = 0.05;
/** The probability that a label returns although no bound is crossed, over all its bounds and arms and however long it runs. */
export const falseReturns = 0.05;

type BoundName = 'failures' | 'worseFailures' | 'latency' | 'credits' | 'score';

/** The runs of a version that may be left. */
interface ArmState {
  runs: number;
  failed: number;
  slow: number;
  dear: number;
  /** The scores that the bound is about, and their sum. */
  scores: number;
  scoreSum: number;
  stakes: Partial<Record<BoundName, number[]>>;
  /** Outcomes of the arm, and of the version of the label, that were not compared yet: 1 for a failure. */
  waiting: string;
  others: string;
}

export interface WatchState {
  arms: Record<string, ArmState>;
  base: { runs: number; failed: number };
  /** How the last runs of the version before ended, 1 for a failure; the runs of the new one are compared with them in turn. */
  before: string;
}

export interface Watched {
  versionId: string;
  bounds: LabelBounds;
  arms: readonly { versionId: string }[] | null;
}

/** `before` tells the last runs of the version before, the newest first. */
export function newWatchState({ versionId, arms }: Watched, before: readonly boolean[]): WatchState {
  const ids = arms ? arms.map((arm) => arm.versionId) : [versionId];
  const arm = (): ArmState => ({
    runs: 0,
    failed: 0,
    slow: 0,
    dear: 0,
    scores: 0,
    scoreSum: 0,
    stakes: {},
    waiting: '',
    others: '',
  });
  return {
    arms: Object.fromEntries(ids.map((id) => [id, arm()])),
    base: { runs: 0, failed: 0 },
    before: before.map(Number).join(''),
  };
}

/** Counts runs that have ended since the last look. */
export function countReleased(state: WatchState, watched: Watched, runs: readonly ReleasedRun[]): void {
  const claims = claimsOf(watched.bounds);
  for (const run of runs) countRun(state, watched, { run, claims });
  for (const arm of Object.values(state.arms)) compare(arm, claims);
}

function countRun(
  state: WatchState,
  { bounds, versionId, arms }: Watched,
  { run, claims }: { run: ReleasedRun; claims: Claims },
): void {
  const failed = Number(run.failed);
  if (arms && run.versionId === versionId) {
    countBase(state, failed);
    for (const arm of Object.values(state.arms)) arm.others += String(failed);
    return;
  }
  const arm = state.arms[run.versionId];
  if (!arm) return;
  const slow = Number(bounds.latencyMs !== undefined && run.ms > bounds.latencyMs);
  const dear = Number(bounds.credits !== undefined && run.credits > bounds.credits);
  arm.failed += failed;
  arm.slow += slow;
  arm.dear += dear;
  stake(arm, claims, 'failures', failed);
  stake(arm, claims, 'latency', slow);
  stake(arm, claims, 'credits', dear);
  const other = arms ? undefined : state.before[arm.runs];
  if (other !== undefined) {
    countBase(state, Number(other));
    arm.others += other;
  }
  arm.waiting += String(failed);
  arm.runs += 1;
}

/** Counts scores that runs got since the last look. */
export function countScores(
  { arms }: WatchState,
  { bounds }: Pick<Watched, 'bounds'>,
  scores: readonly { versionId: string; score: number }[],
): void {
  const claims = claimsOf(bounds);
  for (const { versionId, score } of scores) {
    const arm = arms[versionId];
    if (!arm) continue;
    arm.scores += 1;
    arm.scoreSum += score;
    stake(arm, claims, 'score', 1 - score);
  }
}

function countBase({ base }: WatchState, failed: number): void {
  base.runs += 1;
  base.failed += failed;
}

/** Bets on differences of failures. Both versions are split into as many groups as the smaller has runs. */
function compare(arm: ArmState, claims: Claims): void {
  const groups = Math.min(arm.waiting.length, arm.others.length);
  for (let at = 0; at < groups; at += 1) {
    stake(arm, claims, 'worseFailures', meanOf(arm.waiting, at, groups) - meanOf(arm.others, at, groups));
  }
  arm.waiting = groups > 0 ? '' : arm.waiting.slice(-mostWaiting);
  arm.others = groups > 0 ? '' : arm.others.slice(-mostWaiting);
}

/** The share of failures in a group of outcomes. */
function meanOf(outcomes: string, at: number, groups: number): number {
  const [from, to] = [at, at + 1].map((each) => Math.floor((each * outcomes.length) / groups));
  const group = outcomes.slice(from, to);
  return [...group].filter((outcome) => outcome === '1').length / group.length;
}

type Claims = Partial<Record<BoundName, BoundClaim>>;

function stake({ stakes }: ArmState, claims: Claims, name: BoundName, value: number): void {
  const claim = claims[name];
  if (claim) bet(claim, (stakes[name] ??= newStakes()), value);
}

function claimsOf({ failures, latencyMs, credits, score }: LabelBounds): Claims {
  return {
    ...(failures?.max !== undefined && { failures: { bound: failures.max, lowest: 0 } }),
    ...(failures?.worseBy !== undefined && { worseFailures: { bound: failures.worseBy, lowest: -1 } }),
    ...(latencyMs !== undefined && { latency: { bound: exceptions, lowest: 0 } }),
    ...(credits !== undefined && { credits: { bound: exceptions, lowest: 0 } }),
    // Bets are on values above a bound, so that the distance to a full score counts.
    ...(score && { score: { bound: 1 - score.min, lowest: 0 } }),
  };
}

/** The first version that has crossed a bound, with the reason in words. */
export function findCrossed(
  { arms, base }: WatchState,
  bounds: LabelBounds,
): { versionId: string; reason: string } | undefined {
  const names = Object.keys(claimsOf(bounds)) as BoundName[];
  const level = falseReturns / (names.length * Object.keys(arms).length);
  for (const [versionId, arm] of Object.entries(arms)) {
    const least = bounds.minRuns ?? usualMinRuns;
    const name = names.find(
      (each) => (each === 'score' ? arm.scores : arm.runs) >= least && refuses(arm.stakes[each] ?? newStakes(), level),
    );
    if (name) return { versionId, reason: reasons[name](arm, bounds, base) };
  }
  return undefined;
}

const percent = (part: number, of: number): string => `${((100 * part) / Math.max(of, 1)).toFixed(1)} %`;

const reasons: Readonly<Record<BoundName, (arm: ArmState, bounds: LabelBounds, base: WatchState['base']) => string>> = {
  failures: ({ failed, runs }, { failures }) =>
    `${failed} of ${runs} runs failed (${percent(failed, runs)}): more than ${percent(failures?.max ?? 0, 1)}`,
  worseFailures: ({ failed, runs }, { failures }, base) =>
    `${failed} of ${runs} runs failed (${percent(failed, runs)}) against ${base.failed} of ${base.runs} (${percent(base.failed, base.runs)}): worse by more than ${percent(failures?.worseBy ?? 0, 1)}`,
  latency: ({ slow, runs }, { latencyMs }) =>
    `${slow} of ${runs} runs took longer than ${latencyMs} ms (${percent(slow, runs)}): more than ${percent(exceptions, 1)}`,
  score: ({ scores, scoreSum }, { score }) =>
    `the mean of ${scores} scores ${score?.name} is ${(scoreSum / scores).toFixed(2)}: less than ${score?.min}`,
  credits: ({ dear, runs }, { credits }) =>
    `${dear} of ${runs} runs cost more than ${credits} credits (${percent(dear, runs)}): more than ${percent(exceptions, 1)}`,
};
