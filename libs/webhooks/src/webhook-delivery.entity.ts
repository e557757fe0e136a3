import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeliveryState } from './delivery-states.js';
import type { EventType } from './webhook-event.entity.js';

/** `redelivery` and `replay`: the same event once more. */
export type DeliveryCause = 'event' | 'test' | 'redelivery' | 'replay';

/** One event on its way to one endpoint. */
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

  /** What asked for it last. */
  @Column('text')
  cause!: DeliveryCause;

  @Column('text')
  state!: DeliveryState;

  /** How often it was asked for again. */
  @Column('integer')
  generation!: number;

  /** One more each time a worker takes the delivery: the fencing token of what that worker records. */
  @Column('integer')
  attempt!: number;

  /** Attempts whose outcome is known. */
  @Column('integer')
  tries!: number;

  @Column('integer')
  lostAttempts!: number;

  /** Which of the endpoint's few places is taken while sending. */
  @Column('smallint', { nullable: true })
  slot!: number | null;

  @Column('timestamptz')
  nextAt!: Date;

  /** Until when whoever sends it is believed to be alive. */
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
