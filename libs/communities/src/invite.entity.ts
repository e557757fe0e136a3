import type { CommunityRole } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An invite by which one account can join a community. */
@Entity('invites')
export class Invite {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  communityId!: string;

  @Column('bytea')
  tokenHash!: Buffer;

  @Column('text')
  role!: Exclude<CommunityRole, 'owner'>;

  @Column('uuid')
  invitedBy!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('uuid', { nullable: true })
  acceptedBy!: string | null;

  @Column('timestamptz', { nullable: true })
  acceptedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}
