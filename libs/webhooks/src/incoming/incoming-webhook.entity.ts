import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An address of ours that starts a workflow when somebody calls it who knows its secret. */
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

  /** Sealed; it still opens until the time below, so that callers can change over. */
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

  /** The person behind it, where it was a person. */
  @Column('uuid', { nullable: true })
  createdBy!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}
