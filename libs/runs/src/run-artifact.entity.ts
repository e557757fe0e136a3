import type { ArtifactKind } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('run_artifacts')
export class RunArtifact {
  @PrimaryColumn('uuid')
  id!: string;

  @PrimaryColumn('uuid')
  runId!: string;

  @Column('text')
  kind!: ArtifactKind;

  @Column('text', { nullable: true })
  contentText!: string | null;

  @Column('jsonb', { nullable: true })
  contentJson!: unknown;

  @Column('boolean')
  isPrimaryOutput!: boolean;

  @Column('text')
  visibility!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
