import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind } from '../schema/kinds.js';
import { PageQuery } from '../schema/paging.js';
import { LabelEvidence, LabelRules } from './gates.js';
import { LabelArm, LabelBounds } from './labels.js';

export const proposalStatuses = ['pending', 'approved', 'declined', 'superseded', 'expired'] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];
export const proposalDecisions = ['approve', 'decline'] as const;
export type ProposalDecision = (typeof proposalDecisions)[number];

export class LabelProposalPath {
  @uuid({ description: 'The proposal.', idOf: 'label proposal' })
  proposalId!: string;
}

/** A move of a label that waits for a second person, or did. */
export class LabelProposal {
  @uuid()
  id!: string;

  @uuid({ nullable: true })
  lensId!: string | null;

  @uuid({ nullable: true })
  workflowId!: string | null;

  @text({ nullable: true, description: 'The title of the lens or workflow.' })
  title!: string | null;

  @text()
  label!: string;

  @uuid()
  versionId!: string;

  @text({ description: 'The number of the version.' })
  version!: string;

  @text({ nullable: true, description: 'The number of the version that the label has now.' })
  before!: string | null;

  @list(nestedKind(() => LabelArm), { nullable: true })
  arms!: LabelArm[] | null;

  @flag({ optional: true, description: 'The protection that the label is to have; unchanged when absent.' })
  protected?: boolean;

  @nested(() => LabelRules, { optional: true, nullable: true, description: 'Unchanged when absent.' })
  rules?: LabelRules | null;

  @nested(() => LabelBounds, { optional: true, nullable: true, description: 'Unchanged when absent.' })
  bounds?: LabelBounds | null;

  @flag({ description: 'It is to move although no gate was passed.' })
  override!: boolean;

  @nested(() => LabelEvidence, { nullable: true })
  evidence!: LabelEvidence | null;

  @text({ nullable: true })
  reason!: string | null;

  @uuid({ nullable: true, description: 'The account of the person who proposed it, or who created the token.' })
  proposedBy!: string | null;

  @flag({ description: 'The caller may approve or decline it.' })
  canDecide!: boolean;

  @dateTime()
  proposedAt!: string;

  @dateTime()
  expiresAt!: string;

  @oneOf(proposalStatuses)
  status!: ProposalStatus;

  @uuid({ nullable: true })
  decidedBy!: string | null;

  @dateTime({ nullable: true })
  decidedAt!: string | null;

  @text({ nullable: true })
  comment!: string | null;
}

export class LabelProposalDecision {
  @oneOf(proposalDecisions)
  decision!: ProposalDecision;

  @text({ min: 1, max: 500, optional: true })
  comment?: string;
}

export class LabelProposalsQuery extends PageQuery {}

export const labelProposalEndpoints = defineEndpoints({
  listLabelProposals: {
    route: 'GET /v1/label-proposals',
    summary: 'Lists the moves of labels that wait for a second person, the newest first',
    description: 'Those of the account of the caller, and those that the caller may decide.',
    query: LabelProposalsQuery,
    reply: LabelProposal,
    scopes: ['lenses:read'],
    rate: 'list',
    replies: 'list',
  },
  getLabelProposal: {
    route: 'GET /v1/label-proposals/{proposalId}',
    summary: 'Reads a move of a label that waits for a second person, or did',
    description: 'For the account that owns the lens or workflow, and for those who may decide.',
    params: LabelProposalPath,
    reply: LabelProposal,
    scopes: ['lenses:read'],
    rate: 'read',
  },
  decideLabelProposal: {
    route: 'POST /v1/label-proposals/{proposalId}',
    summary: 'Approves or declines a move of a label',
    description:
      'For people who are signed in and may decide, never the one who proposed it; its account can decline it as well. An approved move is made at once, if its gate still holds. 409 when it was decided, has expired, or the label moved otherwise.',
    params: LabelProposalPath,
    body: LabelProposalDecision,
    example: { decision: 'decline', comment: 'Try it on the new cases first.' },
    reply: LabelProposal,
    scopes: ['lenses:write'],
    rate: 'write',
  },
});
