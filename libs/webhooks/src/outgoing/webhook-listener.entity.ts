import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account whose events are stored until a time, also those without an endpoint. */
@Entity('webhook_listeners')
export class WebhookListener {
  @PrimaryColumn('uuid')
  accountId!: string;

  @Column('timestamptz')
  until!: Date;
}
