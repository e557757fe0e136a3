import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One call to an endpoint and its result. */
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

  /** The first bytes of the response body. */
  @Column('bytea')
  answer!: Buffer;

  @Column('integer')
  durationMs!: number;

  @Column('timestamptz')
  createdAt!: Date;
}
