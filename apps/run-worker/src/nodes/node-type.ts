import type { Context } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import type { Egress } from '@lensforge/egress';
import type { HeldNode, NodeHold, NodeState, Reservation, RunSnapshot } from '@lensforge/runs';
import type { AskParts } from '../engine/ask.js';
import type { Failed, Outcome } from '../engine/workflow/node-events.js';
import type { ByokLeases } from '../byok-leases.js';

export interface NodeParts extends AskParts {
  /** The way out of `http` nodes. */
  egress: Egress;
  /** Keys of users, for runs that bring one. */
  keys: ByokLeases;
  /** Rows of the outbox that have just been committed. */
  handOver: (rows: readonly OutboxRow[]) => void;
}

/** A node in the hands of a worker, as its type sees it. */
export interface NodeWork<S> {
  settings: S;
  /** What edges bring. */
  input: Readonly<Record<string, unknown>>;
  /** The value of an expression of the settings. */
  evaluate: (text: string) => unknown;
  /** A value of the settings with every expression in it replaced by its value. */
  resolve: (value: unknown) => unknown;
  /** What it kept when it began to wait. */
  state: NodeState['state'];
  node: HeldNode;
  generation: number;
  run: RunSnapshot;
  /** The same whenever the same work is done again. */
  idempotencyKey: string;
  signal: AbortSignal;
  /** To be called before each outside effect: throws when the node is no longer ours. */
  beforeEffect: () => void;
  say: (text: string) => void;
  reserve: (hold: NodeHold) => Promise<Reservation>;
  parts: NodeParts;
  /** The owner of the run asks, with nothing but its account. */
  owner: Context;
}

export type NodeOutcome = Outcome & { resolved?: 'approved' | 'rejected' | 'expired' };

export type ExecuteNode<S> = (work: NodeWork<S>) => NodeOutcome | Promise<NodeOutcome>;

export const failed = (code: string, message: string, more: Partial<Failed> = {}): Failed => ({
  ...{ kind: 'failed', code, message },
  ...more,
});
