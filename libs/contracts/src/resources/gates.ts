import { decimal, flag, integer, list, nested, text, uuid } from '../schema/field.js';
import { nestedKind, textKind } from '../schema/kinds.js';

export const gateResults = ['passed', 'failed', 'inconclusive'] as const;
export type GateResult = (typeof gateResults)[number];

const tagKind = textKind({ min: 1, max: 50 });
const confidenceOf = {
  min: 0.5,
  max: 0.999,
  optional: true,
  description: 'How certain the answer must be; 0.95 when absent.',
};
const marginOf = { min: 0, max: 1, optional: true, description: 'A loss up to this does not count; 0.02 when absent.' };

export class LossRule {
  @decimal(marginOf)
  margin?: number;

  @decimal(confidenceOf)
  confidence?: number;

  @decimal({
    min: 0.01,
    max: 1,
    optional: true,
    description: 'The loss that the cases must be enough to find in 80 of 100 experiments; 0.1 when absent.',
  })
  find?: number;
}

export class NoWorseRule {
  @decimal(marginOf)
  margin?: number;

  @decimal(confidenceOf)
  confidence?: number;
}

/** A condition on every arm but the baseline. One of its members says which; scorer names the scores that it is about. */
export class GateRule {
  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'The scorer that min, noProvenLoss and provenNoWorse are about.',
  })
  scorer?: string;

  @decimal({ min: 0, max: 1, optional: true, description: 'The mean score must be at least this.' })
  min?: number;

  @nested(() => LossRule, {
    optional: true,
    description: 'Fails when the arm is worse than the baseline by more than the margin, beyond doubt.',
  })
  noProvenLoss?: LossRule;

  @nested(() => NoWorseRule, {
    optional: true,
    description: 'Passes when the arm is not worse than the baseline by more than the margin, beyond doubt.',
  })
  provenNoWorse?: NoWorseRule;

  @flag({ optional: true, description: 'No case that the baseline passes may fail.' })
  noNewFailures?: boolean;

  @list(tagKind, { max: 20, optional: true, description: 'The cases that noNewFailures is about; all when absent.' })
  tags?: string[];

  @decimal({ min: 0, optional: true, description: 'The credits of a case on average may be at most this.' })
  maxCreditsPerCase?: number;

  @integer({ min: 0, optional: true, description: 'The 95th percentile of the latency of runs may be at most this.' })
  maxLatencyP95Ms?: number;
}

export class ExperimentGate {
  @list(nestedKind(() => GateRule), { min: 1, max: 50 })
  rules!: GateRule[];
}

/** The gate that a version must have passed before a label moves to it. */
export class LabelGate {
  @uuid({ description: 'The dataset of the experiment.', idOf: 'dataset' })
  datasetId!: string;

  @integer({
    min: 0,
    max: 1000,
    optional: true,
    description: 'How many revisions of the dataset may be newer than that of the experiment; 0 when absent.',
  })
  maxRevisionsBehind?: number;

  @list(nestedKind(() => GateRule), {
    max: 50,
    optional: true,
    description: 'Rules that its gate must have, as they stand here; any gate when absent.',
  })
  rules?: GateRule[];
}

/** Another person than the one who proposes a move must approve it. */
export class SecondPerson {
  @list(textKind({ min: 1, max: 100 }), {
    min: 1,
    max: 20,
    optional: true,
    description:
      'The handles or ids of the people who may approve; replies have ids. When absent the owners and admins of the community that owns it, so that the label of a person needs some.',
  })
  approvers?: string[];
}

/** The conditions of the moves of a label; at least one. */
export class LabelRules {
  @nested(() => LabelGate, {
    optional: true,
    description: 'An experiment with this very content must have passed its gate.',
  })
  gate?: LabelGate;

  @nested(() => SecondPerson, {
    optional: true,
    description: 'A move, and a change of the rules, waits until another person has approved it.',
  })
  secondPerson?: SecondPerson;
}

/** The experiment that allowed a move. */
export class LabelEvidence {
  @uuid()
  experimentId!: string;

  @uuid()
  datasetId!: string;

  @integer({ min: 0 })
  revision!: number;

  @text({ description: 'The arm with the content of the version.' })
  arm!: string;
}
