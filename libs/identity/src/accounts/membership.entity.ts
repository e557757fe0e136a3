import type { CommunityRole } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** That an account belongs to a community, and as what. */
@Entity('memberships')
export class Membership {
  @PrimaryColumn('uuid')
  communityId!: string;

  @PrimaryColumn('uuid')
  accountId!: string;

  @Column('text')
  role!: CommunityRole;

  @Column('timestamptz')
  createdAt!: Date;
}
