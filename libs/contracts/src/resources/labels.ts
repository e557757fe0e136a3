import { dateTime, decimal, flag, list, nested, oneOf, text, uuid } from '../schema/field.js';
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

  @oneOf(credentials, { description: 'The kind of the credential that moved it.' })
  credential!: (typeof credentials)[number];

  @dateTime()
  movedAt!: string;
}
