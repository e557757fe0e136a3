import type { LensSettings } from '@lensforge/contracts';
import { userJson } from '@lensforge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LensInclude } from './include-tags.js';
import type { LensParam } from './template.js';

/** A version of a lens; never updated. */
@Entity('lens_versions')
export class LensVersion {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  lensId!: string;

  @Column('text')
  semver!: string;

  @Column('text')
  templateBody!: string;

  @Column('jsonb', { transformer: userJson })
  params!: LensParam[];

  @Column('json', { nullable: true, transformer: userJson })
  settings!: LensSettings | null;

  @Column('jsonb', { nullable: true, transformer: userJson })
  includes!: LensInclude[] | null;

  @Column('text')
  changelog!: string;

  @Column('timestamptz')
  createdAt!: Date;

  /** True for a version that is only tried: not the newest one, and not in lists. */
  @Column('boolean')
  isCandidate!: boolean;
}
