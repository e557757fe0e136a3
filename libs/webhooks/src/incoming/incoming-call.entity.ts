import { Column, Entity, PrimaryColumn } from 'typeorm';

export type CallVia = 'secret' | 'signature' | 'bearer';

/** A call of an incoming webhook, accepted or refused. It is kept for its retention time. */
@Entity('incoming_calls')
export class IncomingCall {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  webhookId!: string;

  @Column('uuid')
  accountId!: string;

  @Column('smallint')
  status!: number;

  @Column('text', { nullable: true })
  reason!: string | null;

  /** How the caller authenticated; null when they did not. */
  @Column('text', { nullable: true })
  via!: CallVia | null;

  @Column('uuid', { nullable: true })
  runId!: string | null;

  @Column('text', { nullable: true })
  deliveryKey!: string | null;

  /** Shortened and redacted; null for a caller that did not authenticate. */
  @Column('text', { nullable: true })
  body!: string | null;

  @Column('integer')
  bodyBytes!: number;

  @Column('text')
  address!: string;

  @Column('uuid')
  requestId!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
