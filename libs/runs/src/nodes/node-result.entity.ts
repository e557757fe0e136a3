import type { NodeStatus } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A node of a run. Its key is its id, or within a map the way to it: `map[3].inner`. */
@Entity('node_results')
export class NodeResult {
  @PrimaryColumn('uuid')
  runId!: string;

  @PrimaryColumn('text')
  nodeKey!: string;

  @Column('text')
  nodeId!: string;

  @Column('text')
  type!: string;

  @Column('text')
  status!: NodeStatus;

  /** One more each time it gets a new job; a job of an older generation is a no-op. */
  @Column('integer')
  generation!: number;

  /** One more each time a worker takes it: the fencing token of what that worker writes. */
  @Column('integer')
  attempt!: number;

  /** How often it failed and was tried again. */
  @Column('integer')
  tries!: number;

  @Column('integer')
  lostAttempts!: number;

  @Column('text', { nullable: true })
  worker!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  /** When a waiting node is looked at again, if nobody wakes it before. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  /** The edges out of it that hold, by their place among them. */
  @Column('text', { array: true, nullable: true })
  live!: string[] | null;

  /** What it keeps for itself while it waits. */
  @Column('jsonb', { nullable: true })
  state!: Record<string, unknown> | null;

  @Column('jsonb', { nullable: true })
  input!: unknown;

  @Column('jsonb', { nullable: true })
  output!: unknown;

  @Column('jsonb', { nullable: true })
  error!: { code: string; message: string } | null;

  @Column('integer')
  modelCalls!: number;

  @Column('integer')
  tokensUsed!: number;

  @Column('bigint')
  costCredits!: string;

  /** Held for it while it has not ended. */
  @Column('bigint')
  reservedCredits!: string;

  @Column('timestamptz')
  queuedAt!: Date;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  completedAt!: Date | null;
}
