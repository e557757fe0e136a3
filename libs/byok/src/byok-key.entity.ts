import type { ByokTestStatus } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A provider key of an account. Only a run-worker can decrypt its secret. */
@Entity('byok_keys')
export class ByokKey {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  provider!: string;

  /** The address of the owner's own endpoint. */
  @Column('text', { nullable: true })
  baseUrl!: string | null;

  @Column('text')
  label!: string;

  @Column('text')
  last4!: string;

  /** The version of the key pair that the data key is wrapped for. */
  @Column('integer', { nullable: true })
  keyPair!: number | null;

  @Column('bytea', { nullable: true })
  dataKey!: Buffer | null;

  @Column('bytea', { nullable: true })
  secret!: Buffer | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  rotatedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;

  @Column('uuid', { nullable: true })
  testId!: string | null;

  @Column('text', { nullable: true })
  testStatus!: ByokTestStatus | null;

  @Column('text', { nullable: true })
  testMessage!: string | null;

  @Column('timestamptz', { nullable: true })
  testedAt!: Date | null;
}
