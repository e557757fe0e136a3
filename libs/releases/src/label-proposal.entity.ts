import type { LabelArm, LabelBounds, LabelEvidence, LabelRules } from '@lensforge/contracts';
import { userJson } from '@lensforge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The members of a move that is made once it is approved. */
export interface ProposedMove {
  versionId: string;
  arms: LabelArm[] | null;
  protected?: boolean;
  rules?: LabelRules | null;
  bounds?: LabelBounds | null;
  reason?: string;
  experimentId?: string;
  override?: boolean;
  /** The evidence at the time of the proposal. */
  evidence: LabelEvidence | null;
}

/** A move of a label that waits for a second person, or did. */
@Entity('label_proposals')
export class StoredLabelProposal {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  kind!: 'lens' | 'workflow';

  /** The lens or workflow. */
  @Column('uuid')
  ownerId!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  label!: string;

  @Column('json', { transformer: userJson })
  move!: ProposedMove;

  /** The people who may decide; the owners and admins of a community when null. */
  @Column('uuid', { array: true, nullable: true })
  approvers!: string[] | null;

  /** The account of the person who proposed it, or who created the token. */
  @Column('uuid', { nullable: true })
  proposedBy!: string | null;

  @Column('timestamptz')
  proposedAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('text')
  status!: 'pending' | 'approved' | 'declined' | 'superseded';

  @Column('uuid', { nullable: true })
  decidedBy!: string | null;

  @Column('timestamptz', { nullable: true })
  decidedAt!: Date | null;

  @Column('text', { nullable: true })
  comment!: string | null;

  /** The time at which the approvers were told. */
  @Column('timestamptz', { nullable: true })
  toldAt!: Date | null;

  /** Another process tells them until then. */
  @Column('timestamptz', { nullable: true })
  claimedUntil!: Date | null;
}
