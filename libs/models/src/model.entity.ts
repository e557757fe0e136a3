import type { ModelCapability } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A model that runs can use, with its prices: data that an operator can extend. */
@Entity('models')
export class Model {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  key!: string;

  @Column('text')
  providerKey!: string;

  @Column('text')
  displayName!: string;

  @Column('integer', { name: 'credits_per_1k_input' })
  creditsPer1kInput!: number;

  @Column('integer', { name: 'credits_per_1k_output' })
  creditsPer1kOutput!: number;

  @Column('integer')
  maxOutputTokens!: number;

  @Column('boolean')
  isDefault!: boolean;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('integer', { nullable: true })
  contextTokens!: number | null;

  @Column('text', { array: true })
  capabilities!: ModelCapability[];

  /** Who is asked instead, in order: provider/model. */
  @Column('text', { array: true })
  fallbacks!: string[];

  @Column('boolean')
  enabled!: boolean;

  /** Of the usable models with a rank, the one with the least is the default. */
  @Column('integer', { nullable: true })
  defaultRank!: number | null;

  @Column('timestamptz')
  updatedAt!: Date;

  /** Of a model at an endpoint of a user: the key that opens it. */
  @Column('uuid', { nullable: true })
  byokKeyId!: string | null;
}
