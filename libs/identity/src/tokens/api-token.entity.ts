import type { Scope } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TokenKind } from './token.js';

export type CreditPeriod = 'month' | 'total';

@Entity('api_tokens')
export class ApiToken {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  kind!: TokenKind;

  @Column('bytea')
  hash!: Buffer;

  @Column('text')
  prefix!: string;

  @Column('uuid')
  accountId!: string;

  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('text')
  label!: string;

  @Column('text', { array: true })
  scopes!: Scope[];

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  /** True for a token that was issued as an authorization code and not exchanged yet; it is not valid. */
  @Column('boolean')
  sealed!: boolean;

  @Column('text', { nullable: true })
  clientId!: string | null;

  @Column('text', { nullable: true })
  resource!: string | null;

  @Column('uuid', { nullable: true })
  connectorId!: string | null;

  /** The credits that its runs may cost in a period. */
  @Column('bigint', { nullable: true })
  creditLimit!: string | null;

  @Column('text')
  creditPeriod!: CreditPeriod;

  /** The creator of a token of a community. The token ends when this account no longer administers the community. */
  @Column('uuid', { nullable: true })
  createdBy!: string | null;
}
