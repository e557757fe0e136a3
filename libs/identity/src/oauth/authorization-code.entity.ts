import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The tools' OAuth server, or the platform's own sign-in. */
export type Issuer = 'tools' | 'platform';

/** What somebody agreed to, until the client shows that it was the one who asked. */
@Entity('authorization_codes')
export class AuthorizationCode {
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('text')
  issuer!: Issuer;

  @Column('text')
  clientId!: string;

  @Column('text')
  redirectUri!: string;

  @Column('text')
  codeChallenge!: string;

  @Column('text', { nullable: true })
  resource!: string | null;

  @Column('uuid')
  userId!: string;

  /** Of the tools' issuer: the sealed token from the start, or the one it was exchanged for. */
  @Column('uuid', { nullable: true })
  tokenId!: string | null;

  /** Of the platform's: the session that it was exchanged for. */
  @Column('uuid', { nullable: true })
  sessionId!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('integer')
  wrongTries!: number;

  @Column('timestamptz', { nullable: true })
  exchangedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  burnedAt!: Date | null;
}
