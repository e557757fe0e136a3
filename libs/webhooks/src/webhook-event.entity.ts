import type { PlatformEventType } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Besides what happens on the platform there are tests of an endpoint. */
export type EventType = PlatformEventType | 'webhook.test';

/** What subscribers are told, once for all of them. */
@Entity('webhook_events')
export class WebhookEvent {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  type!: EventType;

  /** The JSON without its signature: that depends on the endpoint. */
  @Column('bytea')
  body!: Buffer;

  @Column('uuid', { nullable: true })
  requestId!: string | null;

  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('timestamptz')
  occurredAt!: Date;

  @Column('timestamptz')
  createdAt!: Date;
}
