import type { Scope } from '@lensforge/contracts';
import type { CreditPeriod } from './api-token.entity.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A machine that acts for an account with a service token; at most one token is valid at a time. */
@Entity('connectors')
export class Connector {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  name!: string;

  @Column('text', { array: true })
  scopes!: Scope[];

  /** The lifetime of its service tokens, unless a rotation changes it. */
  @Column('integer')
  ttlDays!: number;

  /** The credit limit of its service tokens. */
  @Column('bigint', { nullable: true })
  creditLimit!: string | null;

  @Column('text')
  creditPeriod!: CreditPeriod;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  removedAt!: Date | null;
}
