interface Bounds {
  failures?: { max?: number | undefined; worseBy?: number | undefined } | undefined;
  latencyMs?: number | undefined;
  credits?: number | undefined;
  score?: { name: string; min: number } | undefined;
}

const percent = (share: number): string => (share * 100).toFixed(1);

export const labelsTexts = {
  labels: 'Labels',
  setLabel: 'Set label',
  version: 'Version',
  move: 'Move',
  moveTo: 'Version',
  versionWithGate: (version: string, result: string | undefined): string =>
    `${version} · ${result === undefined ? 'no gate yet' : `gate ${result}`}`,
  versionOf: (label: string): string => `Version that ${label} moves to`,
  noLabels: 'No labels',
  protect: 'Protect',
  unprotect: 'Remove protection',
  default: 'default',
  makeDefault: 'Make default',
  serveNewest: 'Serve the newest',
  served: (version: string, label: string | null): string =>
    label === null
      ? `Callers that name no version get ${version}, the newest one. Make a label the default to release versions yourself.`
      : `Callers that name no version get ${version}, that of ${label}.`,
  reason: 'Reason, for the history',
  goBack: 'Return',
  armOf: 'Another version for a part of the callers',
  arm: 'Arm, for a part of the callers',
  armWeight: 'Percent of the callers',
  arms: (arms: readonly { version: string; weight: number }[]): string =>
    arms.map(({ version, weight }) => `${weight} % get ${version}`).join(', '),
  protected: 'protected',
  protectedHint: 'Only a signed-in person can move or remove a protected label; tokens of programs cannot.',
  history: 'History of labels',
  armsMoved: (arms: readonly { version: string; weight: number }[] | null): string =>
    arms ? labelsTexts.arms(arms) : 'all callers get it',
  setBounds: 'Return by itself',
  removeBounds: 'Remove the bounds',
  boundsHint:
    'The label goes back by itself when the runs of your account show, beyond doubt, that its version or arm crosses a bound. It never does after fewer than 100 runs.',
  worseBy: 'More failures than before, in percent points',
  maxFailures: 'Failures above, in percent',
  maxMs: 'More than 5 % of the runs above, in ms',
  scoreName: 'A score, by its scorer',
  minScore: 'Lowest mean of that score',
  bounds: ({ failures, latencyMs, credits, score }: Bounds): string =>
    `returns by itself: ${[
      failures?.worseBy !== undefined && `failures worse by ${failures.worseBy * 100} points`,
      failures?.max !== undefined && `failures above ${failures.max * 100} %`,
      latencyMs !== undefined && `times above ${latencyMs} ms`,
      credits !== undefined && `costs above ${credits} credits`,
      score && `${score.name} below ${score.min}`,
    ]
      .filter(Boolean)
      .join(', ')}`,
  returnedByItself: (label: string, version: string, reason: string | null): string =>
    `${label} left ${version} by itself: ${reason ?? ''},`,
  compare: 'Runs of the last week',
  groupBy: 'by',
  noRuns: 'No runs have ended',
  noLabel: 'no label',
  columns: {
    group: 'Group',
    runs: 'Runs',
    failures: 'Failures',
    median: 'Median',
    slow: '95 % below',
    credits: 'Credits a run',
    scores: 'Scores',
    result: 'Against the largest',
  },
  share: ({ mean, low, high }: { mean: number; low: number; high: number }): string =>
    `${percent(mean)} % (${percent(low)} to ${percent(high)})`,
  scoreResults: { higher: 'higher', lower: 'lower', alike: 'as high', too_few_scores: 'too few scores to say' },
  results: {
    more: 'fails more often',
    fewer: 'fails less often',
    alike: 'fails as often',
    too_few_runs: 'too few runs to say',
  },
  noMoves: 'No label was moved',
  moved: (before: string | undefined, after: string | undefined): string =>
    after === undefined
      ? `removed from ${before ?? '–'}`
      : before === undefined || before === after
        ? after
        : `${before} → ${after}`,
  returned: 'returned',
  label: 'Label',
  dataset: 'Dataset',
  needsGate: 'needs a passed gate',
  needsPerson: 'needs a second person',
  waits: 'a move waits for approval',
  changesRules: 'Other rules',
  withdraw: 'Withdraw',
  waitsForOthers: 'Another person must approve it.',
  requirePerson: 'Require a second person',
  personHint:
    'Moves of the label, and changes of its rules, then wait until one of these people approves them. Going back needs no approval.',
  approvers: 'Handles, separated by commas',
  requireGate: 'Require a gate',
  removeRules: 'Remove the rule',
  gateHint:
    'The label then moves only to what has passed the gate of an experiment over the newest cases of the dataset.',
  override: 'Against its rules, for the reason above',
  overridden: 'against its rules',
  evidence: 'Passed gate',
  movedBy: (credential: string): string =>
    ({ session: 'in the console', service_role: 'by the platform' })[credential] ?? `by a token (${credential})`,
} as const;
