import { Column, Entity, PrimaryColumn } from 'typeorm';

/** That somebody is signed in: with a cookie in a browser, or with refresh tokens in a client. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  @Column('text')
  kind!: 'browser' | 'client';

  @Column('text', { nullable: true })
  clientId!: string | null;

  /** Of the cookie; never leaves this room. */
  @Column('bytea', { nullable: true, select: false })
  secretHash!: Buffer | null;

  @Column('text', { nullable: true })
  address!: string | null;

  @Column('text', { nullable: true })
  userAgent!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;
}
