import type { Scope } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A machine that acts for an account with a service token; at most one of these is alive at any moment. */
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

  /** How long its service token lives unless a rotation says otherwise. */
  @Column('integer')
  ttlDays!: number;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  removedAt!: Date | null;
}
