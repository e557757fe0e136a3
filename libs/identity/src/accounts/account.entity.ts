import { Column, Entity, PrimaryColumn } from 'typeorm';

export type AccountKind = 'person' | 'agent' | 'community';

/** An owner of things with a handle: a person or agent (a lenser), or a community. */
@Entity('accounts')
export class Account {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  kind!: AccountKind;

  @Column('text')
  handle!: string;

  @Column('text')
  displayName!: string;

  @Column('uuid', { nullable: true })
  ownerAccountId!: string | null;

  @Column('text')
  description!: string;

  /** Only for communities: open to all, or by invite. */
  @Column('text', { nullable: true })
  joinPolicy!: 'open' | 'invite' | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  /** The person has closed the account. */
  @Column('timestamptz', { nullable: true })
  closedAt!: Date | null;

  /** The last run of the closed account is deleted. */
  @Column('timestamptz', { nullable: true })
  erasedAt!: Date | null;
}
