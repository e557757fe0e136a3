import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in session: with a cookie in a browser, or with refresh tokens in a client. */
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

  /** The hash of the cookie's secret; not selected by default. */
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
