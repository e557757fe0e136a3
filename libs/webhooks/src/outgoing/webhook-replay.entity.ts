import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `undelivered`: events that were never delivered to the endpoint. `all`: delivered ones too. */
export type ReplaySelection = 'undelivered' | 'all';
export type ReplayState = 'running' | 'done' | 'canceled';

/** A repeated delivery of the events of a time range to an endpoint. */
@Entity('webhook_replays')
export class WebhookReplay {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  endpointId!: string;

  @Column('uuid')
  accountId!: string;

  @Column('timestamptz')
  fromAt!: Date;

  @Column('timestamptz')
  toAt!: Date;

  @Column('text')
  what!: ReplaySelection;

  @Column('text')
  state!: ReplayState;

  /** The last processed event; the next page starts after it. */
  @Column('timestamptz', { nullable: true })
  reachedAt!: Date | null;

  @Column('uuid', { nullable: true })
  reachedId!: string | null;

  @Column('integer')
  looked!: number;

  @Column('integer')
  made!: number;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;
}
