import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The record of one call to an endpoint. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  deliveryId!: string;

  @Column('integer')
  number!: number;

  @Column('integer', { nullable: true })
  status!: number | null;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('text', { nullable: true })
  detail!: string | null;

  /** The first bytes of the answer's body. */
  @Column('bytea')
  answer!: Buffer;

  @Column('integer')
  durationMs!: number;

  @Column('timestamptz')
  createdAt!: Date;
}
