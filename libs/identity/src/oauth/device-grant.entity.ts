import type { Scope } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A device authorization grant (RFC 8628): a machine without a browser that waits for approval. */
@Entity('device_grants')
export class DeviceGrant {
  @PrimaryColumn('bytea')
  deviceHash!: Buffer;

  /** Without its dash. */
  @Column('text')
  userCode!: string;

  @Column('text')
  clientId!: string;

  @Column('text')
  label!: string;

  @Column('integer')
  days!: number;

  @Column('text', { array: true })
  scopes!: Scope[];

  @Column('text')
  status!: 'pending' | 'approved' | 'denied' | 'redeemed';

  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('integer')
  intervalSeconds!: number;

  @Column('timestamptz', { nullable: true })
  polledAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;
}
