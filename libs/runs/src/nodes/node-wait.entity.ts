import { Column, Entity, PrimaryColumn } from 'typeorm';

export type WaitKind = 'approval' | 'webhook' | 'tool';
export type WaitDecision = 'approved' | 'rejected' | 'expired' | 'received';

/** A wait of a node for an approval, a callback or the result of a tool, which is answered once. */
@Entity('node_waits')
export class NodeWait {
  @PrimaryColumn('uuid')
  runId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  nodeKey!: string;

  @Column('text')
  kind!: WaitKind;

  @Column('text', { nullable: true })
  message!: string | null;

  @Column('jsonb', { nullable: true })
  details!: unknown;

  @Column('bytea', { nullable: true })
  tokenHash!: Buffer | null;

  @Column('timestamptz')
  requestedAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('text', { nullable: true })
  decision!: WaitDecision | null;

  @Column('jsonb', { nullable: true })
  value!: unknown;

  @Column('text', { nullable: true })
  comment!: string | null;

  @Column('uuid', { nullable: true })
  answeredBy!: string | null;

  @Column('timestamptz', { nullable: true })
  answeredAt!: Date | null;
}
