import type { ModelCapability } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A model of the catalogue or of a user's endpoint, with its prices. */
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

  @Column('double precision', { name: 'input_rate' })
  creditsPer1kInput!: number;

  @Column('double precision', { name: 'output_rate' })
  creditsPer1kOutput!: number;

  /** The rate of input that the provider reads from its cache; null for that of other input. */
  @Column('double precision', { name: 'cached_input_rate', nullable: true })
  creditsPer1kCachedInput!: number | null;

  /** The rate of input that the provider writes to its cache; null for that of other input. */
  @Column('double precision', { name: 'cache_write_rate', nullable: true })
  creditsPer1kCacheWrite!: number | null;

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

  /** The models to try instead, in order, as provider/key. */
  @Column('text', { array: true })
  fallbacks!: string[];

  @Column('boolean')
  enabled!: boolean;

  /** The usable model with the lowest rank is the default. */
  @Column('integer', { nullable: true })
  defaultRank!: number | null;

  @Column('timestamptz')
  updatedAt!: Date;

  /** The BYOK key of the user's endpoint that offers this model; null for the catalogue. */
  @Column('uuid', { nullable: true })
  byokKeyId!: string | null;
}
