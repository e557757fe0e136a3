import type { PlatformEventType } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A platform event type, or a test of an endpoint. */
export type EventType = PlatformEventType | 'webhook.test';

/** An event with the body that all its deliveries share. */
@Entity('webhook_events')
export class WebhookEvent {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  type!: EventType;

  /** The JSON without its signature, which depends on the endpoint. */
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
