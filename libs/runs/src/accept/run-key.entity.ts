import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An idempotency key that an account has used for a lens or workflow. */
@Entity('idempotency_keys')
export class RunKey {
  @PrimaryColumn('uuid')
  accountId!: string;

  @PrimaryColumn('uuid')
  targetId!: string;

  @PrimaryColumn('text')
  key!: string;

  @Column('bytea')
  fingerprint!: Buffer;

  @Column('uuid')
  runId!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}
