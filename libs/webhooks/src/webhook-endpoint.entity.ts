import type { PlatformEventType } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `gone`: it answered 410. `failing`: nothing but failures for days. */
export type DisabledReason = 'gone' | 'failing' | 'owner';

/** A subscriber's address, what it wants to hear of, and the secret that signs what it is told. */
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

  /** Sealed; it still signs until the time below, so that receivers can change over. */
  @Column('bytea', { nullable: true })
  previousSecret!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  previousSecretUntil!: Date | null;

  /** The first failure since the last success. */
  @Column('timestamptz', { nullable: true })
  failingSince!: Date | null;

  /** In a row, since the last success. */
  @Column('integer')
  failures!: number;

  /** How often in a row deliveries were held back; each time is longer than the one before. */
  @Column('integer')
  openings!: number;

  /** Deliveries are held back until then; after it one goes ahead to see. */
  @Column('timestamptz', { nullable: true })
  openUntil!: Date | null;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  @Column('text', { nullable: true })
  disabledReason!: DisabledReason | null;

  /** Its owner is still to be told that it was disabled. */
  @Column('boolean')
  noticeDue!: boolean;

  /** Somebody is telling them; if that one is lost, another may from then on. */
  @Column('timestamptz', { nullable: true })
  noticeClaimedUntil!: Date | null;

  /** Nobody sees it any more; its deliveries go little by little, and then it. */
  @Column('timestamptz', { nullable: true })
  removedAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}
