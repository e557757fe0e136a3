import { dateTime, decimal, flag, integer, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind } from '../schema/kinds.js';
import { LabelEvidence, LabelRules } from './gates.js';

// The members that labels of lenses and of workflows share.

const labelMoves = ['set', 'return', 'remove'] as const;
const credentials = ['session', 'mcp', 'developer', 'organisation', 'service', 'service_role'] as const;

export const ofMoved = { nullable: true, description: 'null when the label was removed.' } as const;
export const ofBefore = { nullable: true, description: 'The version before the move; null for a new label.' } as const;

/** A version that a part of the callers of a label get. */
export class LabelArm {
  @uuid()
  versionId!: string;

  @text({ description: 'Its number.' })
  version!: string;

  @decimal({ min: 0, max: 100, description: 'The percentage of sticky keys that get it.' })
  weight!: number;
}

export class FailureBound {
  @decimal({ min: 0, max: 1, optional: true, description: 'At most this share of the runs may fail.' })
  max?: number;

  @decimal({
    min: 0,
    max: 1,
    optional: true,
    description: 'It may fail at most by this share more often than the version that it replaces.',
  })
  worseBy?: number;
}

export class ScoreBound {
  @text({
    min: 1,
    max: 100,
    description: 'The name of a score, such as that of a scorer in a rule of evaluation, or feedback.',
  })
  name!: string;

  @decimal({ min: 0, max: 1, description: 'The mean of the scores must not be lower.' })
  min!: number;
}

/** When a label returns by itself. */
export class LabelBounds {
  @nested(() => FailureBound, { optional: true })
  failures?: FailureBound;

  @integer({ min: 1, optional: true, description: 'At most 5 % of the runs may take longer.' })
  latencyMs?: number;

  @decimal({ min: 0, optional: true, description: 'At most 5 % of the runs may cost more.' })
  credits?: number;

  @nested(() => ScoreBound, { optional: true })
  score?: ScoreBound;

  @integer({
    min: 20,
    max: 100_000,
    optional: true,
    description: 'It never returns after fewer runs, or for its scores after fewer scores; 100 when absent.',
  })
  minRuns?: number;
}

/** The version that a label returned from. */
export class LabelReturned {
  @uuid()
  versionId!: string;

  @text({ description: 'Its number.' })
  version!: string;

  @dateTime()
  at!: string;

  @flag({ description: 'True when a bound was crossed.' })
  automatic!: boolean;

  @text({ nullable: true })
  reason!: string | null;
}

const ofArms = {
  nullable: true,
  description: 'Versions that a part of the callers get instead; null without any.',
} as const;

export class LabelPlace {
  @text()
  label!: string;

  @uuid()
  versionId!: string;

  @list(nestedKind(() => LabelArm), ofArms)
  arms!: LabelArm[] | null;

  @flag({ description: 'Only a person who is signed in can move or remove it.' })
  protected!: boolean;

  @nested(() => LabelRules, { nullable: true, description: 'The conditions of its moves.' })
  rules!: LabelRules | null;

  @nested(() => LabelBounds, { nullable: true, description: 'When it returns by itself; null: never.' })
  bounds!: LabelBounds | null;

  @nested(() => LabelReturned, {
    nullable: true,
    description: 'The version that it returned from, until it is set again.',
  })
  returned!: LabelReturned | null;

  @uuid({ nullable: true, description: 'The proposal for its next move, which waits for a second person.' })
  proposalId!: string | null;

  @dateTime()
  updatedAt!: string;
}

export class LabelMove {
  @uuid()
  id!: string;

  @text()
  label!: string;

  @oneOf(labelMoves, { description: 'return: it went back to the version before.' })
  kind!: (typeof labelMoves)[number];

  @list(nestedKind(() => LabelArm), { nullable: true, description: 'The arms after the move.' })
  arms!: LabelArm[] | null;

  @list(nestedKind(() => LabelArm), { nullable: true, description: 'The arms before the move.' })
  armsBefore!: LabelArm[] | null;

  @text({ nullable: true })
  reason!: string | null;

  @nested(() => LabelEvidence, { nullable: true, description: 'The experiment whose gate the version had passed.' })
  evidence!: LabelEvidence | null;

  @flag({ description: 'It moved against its rules.' })
  overridden!: boolean;

  @uuid({ nullable: true, description: 'The account of the second person who approved it.' })
  approvedBy!: string | null;

  @oneOf(credentials, { description: 'The kind of the credential that moved it.' })
  credential!: (typeof credentials)[number];

  @dateTime()
  movedAt!: string;
}
