/** The texts of rules of evaluation and of scores over time. */
export const evaluationTexts = {
  scores: 'Scores of the last 28 days',
  noScores: 'No run has a score yet',
  drift: {
    higher: 'higher than before in the last week',
    lower: 'lower than before in the last week',
    alike: 'unchanged in the last week',
    too_few_scores: 'too few scores to say if it changes',
  },
  counted: (scores: number, errors: number): string =>
    [scores === 1 ? '1 score' : `${scores} scores`, ...(errors > 0 ? [`${errors} without one`] : [])].join(', '),
  rules: 'Rules of evaluation',
  rulesHint: 'A rule lets stored scorers score a share of the runs when they have ended.',
  noRules: 'No rules',
  newRule: 'New rule',
  rule: 'Called',
  scorer: 'Stored scorer',
  noScorers: 'A rule needs a stored scorer.',
  storeScorer: 'Make one',
  share: 'Percent of the runs',
  credits: 'Credits a day for judges',
  ofLabel: 'Only runs of this label',
  withTag: 'Only runs with this tag',
  columns: { rule: 'Rule', runs: 'Runs', scorers: 'Scorers', credits: 'Credits today', waiting: 'Waiting' },
  runs: (share: number, label: string | null, tag: string | null): string =>
    [`${share} %`, label !== null && `of ${label}`, tag !== null && `with the tag ${tag}`].filter(Boolean).join(' '),
  creditsOf: (today: number, most: number): string => `${today} of ${most}`,
  on: 'Switch on',
  off: 'Switch off',
  isOff: 'off',
  takeOver: (name: string): string => `The judges of ${name} get your rights, and its suspension ends. Take it over?`,
  remove: (name: string): string => `Delete the rule ${name}? The scores of its runs stay.`,
} as const;
