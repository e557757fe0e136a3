import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `undelivered`: what was never brought to the endpoint. `all`: what it has had, too. */
export type ReplayedKind = 'undelivered' | 'all';
export type ReplayState = 'running' | 'done' | 'canceled';

/** The events of a time range on their way to an endpoint once more. */
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
  what!: ReplayedKind;

  @Column('text')
  state!: ReplayState;

  /** The event up to which all was done; a dispatcher that takes over goes on from here. */
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
