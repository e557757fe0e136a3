import type { Issue } from '@lensforge/contracts';
import type { Anchors } from '@lensforge/judges';
import { type RubricItem, type RubricJudgement, type Verdict, joinReasoning } from './judgements.js';

export interface Criterion {
  name: string;
  description: string;
  weight: number;
  /** The meaning of the marks 1 to 5. */
  anchors: Anchors;
}

/** The limits of a rubric. Weights are above 0. */
export const rubricLimits = { criteria: 10, name: 60, description: 500, anchor: 300, weight: 100 } as const;

export const defaultRubric: readonly Criterion[] = [
  {
    name: 'relevance',
    description: 'The text does the task that was set, and nothing else.',
    weight: 3,
    anchors: [
      'The text does not do the task.',
      'The text touches the task, but most of it is about something else.',
      'The text does a part of the task, or adds much that was not asked for.',
      'The text does the task, with little that was not asked for.',
      'The text does exactly the task.',
    ],
  },
  {
    name: 'correctness',
    description: 'Statements, reasoning and code in the text are correct.',
    weight: 3,
    anchors: [
      'The text is wrong in its main point.',
      'The text has several serious errors.',
      'The main point is correct, and there is a serious error or many small ones.',
      'The text is correct apart from small errors.',
      'The text has no error.',
    ],
  },
  {
    name: 'completeness',
    description: 'The text covers all that the task asks for.',
    weight: 2,
    anchors: [
      'Nearly all of what the task asks for is missing.',
      'Most of what the task asks for is missing.',
      'Important points are missing.',
      'Small points are missing.',
      'Nothing is missing.',
    ],
  },
  {
    name: 'clarity',
    description: 'The text is easy to follow for the reader that the task has in mind.',
    weight: 2,
    anchors: [
      'The text cannot be understood.',
      'The text is hard to follow.',
      'The text can be followed with effort.',
      'The text is mostly clear and in good order.',
      'The text is clear throughout and in good order.',
    ],
  },
];

/** The faults that limits of single members do not show. */
export function faultsInRubric(rubric: readonly Pick<Criterion, 'name'>[]): Issue[] {
  const names = rubric.map(({ name }) => name.trim().toLowerCase());
  return names.flatMap((name, index) =>
    names.indexOf(name) < index ? [{ path: `${index}.name`, message: 'is the name of an earlier criterion' }] : [],
  );
}

/** All texts by all criteria. */
export const rubricItems = (contenderIds: readonly string[], rubric: readonly Criterion[]): RubricItem[] =>
  contenderIds.flatMap((contenderId) =>
    rubric.map((_, criterion) => ({ key: `rubric:${contenderId}:${criterion}`, contenderId, criterion })),
  );

/**
 * A verdict for each contender, with its weighted mean of marks as score: 0 for all marks 1, and 1 for all marks 5. An
 * abstention counts as the mark 1, so that a text gains nothing by making the judge fail. A criterion by which the credits
 * did not suffice to judge all texts counts for none.
 */
export function rubricVerdicts(
  contenderIds: readonly string[],
  rubric: readonly Criterion[],
  judgements: readonly RubricJudgement[],
): Verdict[] {
  const unpaid = new Set(judgements.filter(({ mark }) => mark === 'unpaid').map(({ criterion }) => criterion));
  const total = rubric.reduce((sum, { weight }, index) => (unpaid.has(index) ? sum : sum + weight), 0);
  return contenderIds.map((contenderId) => {
    let weighted = 0;
    const paragraphs = rubric.map(({ name, weight }, index) => {
      if (unpaid.has(index)) return `${name}: not counted, because the credits did not suffice to judge all texts.`;
      const judgement = judgements.find((each) => each.contenderId === contenderId && each.criterion === index);
      const { mark, reasoning } = judgement ?? { mark: 'abstained' as const, reasoning: 'not judged' };
      const isMark = typeof mark === 'number';
      weighted += isMark ? (weight * (mark - 1)) / 4 : 0;
      return `${name}: ${isMark ? mark : 'abstained, counts as 1'} of 5. ${reasoning}`;
    });
    const score = total === 0 ? 0 : weighted / total;
    return {
      contenderId,
      verdict: `${(1 + 4 * score).toFixed(1)} of 5`,
      score,
      reasoning: joinReasoning(paragraphs),
    };
  });
}
