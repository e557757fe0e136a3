import type { NodeStatus } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { HoldTerms } from '../end/delivered-text.js';

/** A node of a run. Its key is its id, or within a map its path: `map[3].inner`. */
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

  /** Incremented with each new job; a job of an older generation is a no-op. */
  @Column('integer')
  generation!: number;

  /** Incremented by each claim: the fencing token of what the worker writes. */
  @Column('integer')
  attempt!: number;

  /** The number of retries after failures. */
  @Column('integer')
  tries!: number;

  @Column('integer')
  lostAttempts!: number;

  @Column('text', { nullable: true })
  worker!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  /** The time at which a waiting node is checked again, unless it is woken earlier. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  /** The outgoing edges whose conditions hold, by index. */
  @Column('text', { array: true, nullable: true })
  live!: string[] | null;

  /** Private state of the node while it waits. */
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

  /** The hold of the node until it ends. */
  @Column('bigint')
  reservedCredits!: string;

  @Column('timestamptz')
  queuedAt!: Date;

  /** The terms of its hold; null without one. */
  @Column('jsonb', { nullable: true })
  holdTerms!: HoldTerms | null;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  completedAt!: Date | null;
}
