import type { Authority } from '@lensforge/core';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An address of the gateway that starts a workflow when a caller proves to know its secret. */
@Entity('incoming_webhooks')
export class IncomingWebhook {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('uuid')
  workflowId!: string;

  @Column('text')
  name!: string;

  /** Sealed by the vault. */
  @Column('bytea')
  secret!: Buffer;

  @Column('bytea')
  secretDigest!: Buffer;

  /** Sealed. It is accepted until `previousUntil`, so that callers can switch. */
  @Column('bytea', { nullable: true })
  previousSecret!: Buffer | null;

  @Column('bytea', { nullable: true })
  previousDigest!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  previousUntil!: Date | null;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  removedAt!: Date | null;

  /** The user who created it; null when a machine did. */
  @Column('uuid', { nullable: true })
  createdBy!: string | null;

  /** The rights of the runs that it starts. */
  @Column('jsonb')
  authority!: Authority;

  /** The account of the person who set it up or took it over. */
  @Column('uuid', { nullable: true })
  creatorId!: string | null;

  /** Its creator has lost the right to it. */
  @Column('timestamptz', { nullable: true })
  suspendedAt!: Date | null;

  @Column('text', { nullable: true })
  suspendedReason!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}
