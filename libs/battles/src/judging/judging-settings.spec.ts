import { describe, expect, it } from '@jest/globals';
import { defaultAnchors } from '@lensforge/judges';
import { type BattleCheck, checkKinds } from '@lensforge/contracts';
import { checkTypes } from './checks.js';
import { getChecks, countJudgements, getCriteria } from './judging-settings.js';
import { nextPairItems } from './pairings.js';
import { defaultRubric } from './rubric.js';

const battle = { judgingMode: 'ai_judge', rubric: null, checks: null } as const;

describe('getCriteria', () => {
  it('fills up a rubric with the default anchors, and is the default rubric without one', () => {
    const own = ['a', 'b', 'c', 'd', 'e'];
    const rubric = [
      { name: 'facts', weight: 1, description: '' },
      { name: 'style', weight: 2, description: 'Is it clear?', anchors: own },
    ];
    expect(getCriteria({ rubric })).toEqual([
      { ...rubric[0], anchors: defaultAnchors },
      { ...rubric[1], anchors: own },
    ]);
    expect(getCriteria({ rubric: null })).toBe(defaultRubric);
    expect(getCriteria({ rubric: [] })).toBe(defaultRubric);
  });
});

describe('getChecks', () => {
  it('reads the value of each kind of check', () => {
    const checks: BattleCheck[] = [
      { kind: 'matches', weight: 1, value: '^a' },
      { kind: 'json_schema', weight: 2, value: { type: 'object' } },
      { kind: 'max_length', weight: 3, value: 10 },
      { kind: 'expression', weight: 4, value: 'text == ""' },
      { kind: 'equals', weight: 5, value: 'x' },
    ];
    expect(getChecks({ checks })).toEqual([
      { type: 'matches', weight: 1, pattern: '^a' },
      { type: 'json_schema', weight: 2, schema: { type: 'object' } },
      { type: 'max_length', weight: 3, characters: 10 },
      { type: 'expression', weight: 4, expression: 'text == ""' },
      { type: 'equals', weight: 5, value: 'x' },
    ]);
    expect(checkKinds).toEqual(checkTypes);
  });
});

describe('countJudgements', () => {
  it.each([0, 1, 2, 3, 6, 7, 8, 13, 26])('counts the comparisons of %i texts', (texts) => {
    const contenderIds = Array.from({ length: texts }, (_, index) => `c${index}`);
    const judgements = [];
    for (;;) {
      const items = nextPairItems({ battleId: 'b', contenderIds, judgements });
      if (items.length === 0) break;
      judgements.push(...items.map((item) => ({ ...item, choice: 'tie' as const, reasoning: '' })));
    }
    expect(countJudgements(battle, texts)).toBe(judgements.length);
  });

  it('counts texts by criteria, and texts by checks', () => {
    const check: BattleCheck = { kind: 'equals', weight: 1, value: 'x' };
    expect(countJudgements({ ...battle, judgingMode: 'rubric_score' }, 3)).toBe(3 * defaultRubric.length);
    expect(countJudgements({ ...battle, judgingMode: 'auto_score', checks: [check, check] }, 3)).toBe(6);
    expect(countJudgements({ ...battle, judgingMode: 'auto_score' }, 3)).toBe(0);
  });
});
