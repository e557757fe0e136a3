import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeliveryState } from './delivery-states.js';

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
  state!: DeliveryState;

  /** Makes the job ids of one delivery differ. */
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

  /** Until when its worker, or while pending its job, is believed to be alive. */
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
