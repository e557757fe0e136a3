import { expect, it } from '@jest/globals';
import { type BattleState, statusWarnings } from './status-warnings.js';

const contenders = ['a', 'b'].map((id) => ({ id, answerError: null }));

const warnings = (battle: Partial<BattleState['battle']>, more: Partial<Omit<BattleState, 'battle'>> = {}): string =>
  statusWarnings({
    battle: { status: 'executing', judgingMode: 'ai_judge', winnerContenderId: null, ...battle },
    contenders,
    submitted: new Set(),
    judging: null,
    ...more,
  }).join(' ');

it('an executing battle has answers that the platform could not write', () => {
  const [failed, other] = [
    { id: 'a', answerError: 'x' },
    { id: 'b', answerError: 'x' },
  ];
  expect(warnings({})).toBe('');
  expect(warnings({}, { contenders: [failed, { id: 'b', answerError: null }] })).toContain('one answer');
  expect(warnings({}, { contenders: [failed, other] })).toContain('2 answers');
  expect(warnings({}, { contenders: [failed, other], submitted: new Set(['a']) })).toContain('one answer');
});

it('an executing battle with all answers has a judging that could not be started', () => {
  const submitted = new Set(['a', 'b']);
  expect(warnings({}, { submitted })).toContain('could not be started');
  expect(warnings({ judgingMode: 'community_vote' }, { submitted })).toBe('');
  expect(warnings({}, { submitted: new Set(), contenders: [] })).toBe('');
});

it.each([
  [null, 'has no judging'],
  ['failed', 'ended as failed'],
  ['canceled', 'ended as canceled'],
] as const)('a battle in scoring with the judging %s says so', (judging, text) => {
  expect(warnings({ status: 'scoring' }, { judging })).toContain(text);
  expect(warnings({ status: 'scoring', judgingMode: 'community_vote' }, { judging })).toBe('');
});

it.each(['queued', 'running', 'succeeded'] as const)(
  'a battle in scoring with the judging %s is as usual',
  (judging) => {
    expect(warnings({ status: 'scoring' }, { judging })).toBe('');
  },
);

it('a closed battle without a winner has shared first places', () => {
  const submitted = new Set(['a', 'b']);
  for (const status of ['closed', 'published'] as const) {
    expect(warnings({ status }, { submitted })).toContain('shared');
    expect(warnings({ status, winnerContenderId: 'a' }, { submitted })).toBe('');
    expect(warnings({ status })).toBe('');
  }
});
