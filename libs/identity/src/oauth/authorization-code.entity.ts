import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The tools' OAuth server, or the platform's own sign-in. */
export type Issuer = 'tools' | 'platform';

/** An authorization code, until the client exchanges it with its PKCE verifier. */
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

  /** For the tools' issuer: the sealed token, or the token it was exchanged for. */
  @Column('uuid', { nullable: true })
  tokenId!: string | null;

  /** For the platform's issuer: the session it was exchanged for. */
  @Column('uuid', { nullable: true })
  sessionId!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('integer')
  failedAttempts!: number;

  @Column('timestamptz', { nullable: true })
  exchangedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  invalidatedAt!: Date | null;
}
