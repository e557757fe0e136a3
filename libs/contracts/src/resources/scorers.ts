import { decimal, flag, list, oneOf, text } from '../schema/field.js';
import { nestedKind, recordKind } from '../schema/kinds.js';

export const scorerKinds = ['check'] as const;
export type ScorerKind = (typeof scorerKinds)[number];

const nameOfScorer = { min: 1, max: 100, pattern: /^[\w.-]+$/ } as const;

/** A rule that gives an output a score from 0 to 1, a verdict and a reason. */
export class Scorer {
  @text({ ...nameOfScorer, description: 'Letters, digits, dots, dashes and underscores; unique in the experiment.' })
  name!: string;

  @oneOf(scorerKinds, { description: 'check: assertions about the output, computed without a model.' })
  kind!: ScorerKind;

  @list(recordKind(), {
    max: 100,
    optional: true,
    description:
      'Assertions {type, value?, threshold?, weight?, transform?} with the names and the meaning that promptfoo gives them; without a value the expected answer of the case is meant.',
  })
  assertions?: Record<string, unknown>[];

  @decimal({
    min: 0,
    max: 1,
    optional: true,
    description: 'The score from which an output passes; all assertions must pass when absent.',
  })
  threshold?: number;
}

/** The score of one assertion. */
export class AssertionScore {
  @text({ description: 'The type of the assertion.' })
  type!: string;

  @flag()
  pass!: boolean;

  @decimal({ min: 0, max: 1 })
  score!: number;

  @text()
  reason!: string;
}

export class Score {
  @text({ description: 'The name of the scorer.' })
  scorer!: string;

  @flag()
  pass!: boolean;

  @decimal({ min: 0, max: 1 })
  score!: number;

  @text()
  reason!: string;

  @list(nestedKind(() => AssertionScore), { description: 'The failed ones come first.' })
  assertions!: AssertionScore[];
}
