import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeliveryState } from './delivery-states.js';
import type { EventType } from './webhook-event.entity.js';

/** `redelivery` and `replay` send the same event again. */
export type DeliveryCause = 'event' | 'test' | 'redelivery' | 'replay';

/** The delivery of one event to one endpoint. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  endpointId!: string;

  @Column('uuid')
  eventId!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  type!: EventType;

  /** The latest reason to send it. */
  @Column('text')
  cause!: DeliveryCause;

  @Column('text')
  state!: DeliveryState;

  /** The number of times that it was requested again. */
  @Column('integer')
  generation!: number;

  /** Incremented at each claim; the fencing token of the attempt. */
  @Column('integer')
  attempt!: number;

  /** The number of attempts with a known outcome. */
  @Column('integer')
  tries!: number;

  @Column('integer')
  lostAttempts!: number;

  /** The concurrency slot of the endpoint that it uses while sending. */
  @Column('smallint', { nullable: true })
  slot!: number | null;

  @Column('timestamptz')
  nextAt!: Date;

  /** The time until which it belongs to the dispatcher that sends it. */
  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  @Column('integer', { nullable: true })
  lastStatus!: number | null;

  @Column('text', { nullable: true })
  lastError!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;
}
