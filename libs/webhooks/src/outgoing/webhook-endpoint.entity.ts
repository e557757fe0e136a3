import type { PlatformEventType } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `gone`: it answered 410. `failing`: all attempts failed for days. */
export type DisabledReason = 'gone' | 'failing' | 'owner';

/** A subscriber's URL, its subscribed event types and its signing secret. */
@Entity('webhook_endpoints')
export class WebhookEndpoint {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  url!: string;

  @Column('text')
  description!: string;

  @Column('text', { array: true })
  events!: PlatformEventType[];

  /** Sealed by the vault. */
  @Column('bytea')
  secret!: Buffer;

  /** Sealed. It still signs until `previousSecretUntil`, so that receivers can switch. */
  @Column('bytea', { nullable: true })
  previousSecret!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  previousSecretUntil!: Date | null;

  /** The first failure since the last success. */
  @Column('timestamptz', { nullable: true })
  failingSince!: Date | null;

  /** The number of failures since the last success. */
  @Column('integer')
  failures!: number;

  /** The number of consecutive circuit breaker openings; each lasts longer than the one before. */
  @Column('integer')
  breakerOpenings!: number;

  /** The circuit breaker is open until this time; then one delivery probes the endpoint. */
  @Column('timestamptz', { nullable: true })
  breakerOpenUntil!: Date | null;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  @Column('text', { nullable: true })
  disabledReason!: DisabledReason | null;

  /** The owner has not been notified yet that it was disabled. */
  @Column('boolean')
  noticeDue!: boolean;

  /** A dispatcher is sending the notice; another may claim it after this time. */
  @Column('timestamptz', { nullable: true })
  noticeClaimedUntil!: Date | null;

  /** The account of the person who set it up or took it over. */
  @Column('uuid', { nullable: true })
  creatorId!: string | null;

  /** Its creator has lost the right to it. */
  @Column('timestamptz', { nullable: true })
  suspendedAt!: Date | null;

  @Column('text', { nullable: true })
  suspendedReason!: string | null;

  /** Hidden from all callers; sweeps delete its deliveries, then the row. */
  @Column('timestamptz', { nullable: true })
  removedAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}
