import { describe, expect, it } from '@jest/globals';
import { defaultAnchors } from '@lensforge/judges';
import type { RubricJudgement } from './judgements.js';
import { defaultRubric, faultsInRubric, rubricItems, rubricLimits, rubricVerdicts } from './rubric.js';

const criterion = (name: string, weight: number) => ({ name, weight, description: '', anchors: defaultAnchors });
const rubric = [criterion('facts', 3), criterion('style', 1)];
const marked = (contenderId: string, ...marks: RubricJudgement['mark'][]) =>
  marks.map((mark, index) => ({ contenderId, criterion: index, mark, reasoning: `because ${index}` }));

describe('rubricVerdicts', () => {
  it('scores the weighted mean of marks from 0 to 1', () => {
    const judgements = [...marked('a', 5, 5), ...marked('b', 1, 1), ...marked('c', 5, 1), ...marked('d', 3, 3)];
    expect(rubricVerdicts(['a', 'b', 'c', 'd'], rubric, judgements)).toMatchObject([
      { contenderId: 'a', score: 1, verdict: '5.0 of 5' },
      { contenderId: 'b', score: 0, verdict: '1.0 of 5' },
      { contenderId: 'c', score: 0.75, verdict: '4.0 of 5' },
      { contenderId: 'd', score: 0.5, verdict: '3.0 of 5' },
    ]);
  });

  it('counts an abstention as the lowest mark and says so', () => {
    const [verdict] = rubricVerdicts(['a'], rubric, marked('a', 5, 'abstained'));
    expect(verdict!.score).toBe(0.75);
    expect(verdict!.reasoning).toBe('facts: 5 of 5. because 0\n\nstyle: abstained, counts as 1 of 5. because 1');
  });

  it('does not count a criterion by which some texts could not be paid for', () => {
    const judgements = [...marked('a', 5, 1), ...marked('b', 3, 'unpaid')];
    const [a, b] = rubricVerdicts(['a', 'b'], rubric, judgements);
    expect([a?.score, b?.score]).toEqual([1, 0.5]);
    expect(a?.reasoning).toContain('style: not counted, because the credits did not suffice to judge all texts.');
    const unpaid = [...marked('a', 'unpaid', 'unpaid'), ...marked('b', 'unpaid', 'unpaid')];
    expect(rubricVerdicts(['a', 'b'], rubric, unpaid).map(({ score }) => score)).toEqual([0, 0]);
  });

  it('gives the same verdicts for judgements in any order', () => {
    const judgements = [...marked('a', 4, 2), ...marked('b', 2, 5)];
    const verdicts = rubricVerdicts(['a', 'b'], rubric, judgements);
    expect(rubricVerdicts(['a', 'b'], rubric, judgements.toReversed())).toEqual(verdicts);
  });
});

describe('rubrics', () => {
  it('has an item for each text and criterion', () => {
    const items = rubricItems(['a', 'b'], rubric);
    expect(items.map(({ key }) => key)).toEqual(['rubric:a:0', 'rubric:a:1', 'rubric:b:0', 'rubric:b:1']);
  });

  it('has a default within its limits', () => {
    expect(faultsInRubric(defaultRubric)).toEqual([]);
    expect(defaultRubric.length).toBeLessThanOrEqual(rubricLimits.criteria);
    for (const { name, description, anchors } of defaultRubric) {
      expect(name.length).toBeLessThanOrEqual(rubricLimits.name);
      expect(description.length).toBeLessThanOrEqual(rubricLimits.description);
      for (const anchor of anchors) expect(anchor.length).toBeLessThanOrEqual(rubricLimits.anchor);
    }
  });

  it('refuses two criteria of one name', () => {
    expect(faultsInRubric([...rubric, criterion(' Facts', 1)])).toEqual([
      { path: '2.name', message: 'is the name of an earlier criterion' },
    ]);
  });
});
