import type { CommunityRole } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The membership of an account in a community, with its role. */
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
