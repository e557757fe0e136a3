import type { Context } from '@lensforge/core';
import type { Egress } from '@lensforge/egress';
import type { HeldNode, NewRunEvent, NodeHold, NodeState, Reservation, RunSnapshot } from '@lensforge/runs';
import type { ExternalTools } from '../agents/external-tools.js';
import type { DeltaStream } from '../engine/delta-batcher.js';
import type { ModelRequestParts } from '../engine/model-request.js';
import type { Failed, Outcome } from '../engine/workflow/node-events.js';
import type { EngineLog } from '../engine/worker-parts.js';
import type { ByokLeases } from '../byok-leases.js';

export interface NodeParts extends ModelRequestParts {
  /** The egress of `http` nodes. */
  egress: Egress;
  /** Opens BYOK keys. */
  keys: ByokLeases;
  /** Tools of external servers, for agents. */
  externalTools: ExternalTools;
  log: EngineLog;
}

/** One attempt of a node, as its executor receives it. */
export interface NodeWork<S> {
  settings: S;
  /** The input from edges. */
  input: Readonly<Record<string, unknown>>;
  /** The value of an expression of the settings. */
  evaluate: (text: string) => unknown;
  /** A value of the settings with every expression in it replaced by its value. */
  resolve: (value: unknown) => unknown;
  /** The state that the node stored when it began to wait. */
  state: NodeState['state'];
  node: HeldNode;
  /** The id in the graph, without the path of maps. */
  nodeId: string;
  generation: number;
  run: RunSnapshot;
  /** The same for every attempt of the node. */
  idempotencyKey: string;
  signal: AbortSignal;
  /** Call it before each side effect; it throws when the lease of the node is over. */
  beforeEffect: () => void;
  addText: (text: string) => void;
  /** Opens a stream of text that is stored in batches, as events. */
  openStream: (eventOf: (text: string) => NewRunEvent) => DeltaStream;
  reserve: (hold: NodeHold) => Promise<Reservation>;
  parts: NodeParts;
  /** The context of the owner of the run. */
  owner: Context;
}

export type NodeOutcome = Outcome & { resolved?: 'approved' | 'rejected' | 'expired' };

export type ExecuteNode<S> = (work: NodeWork<S>) => NodeOutcome | Promise<NodeOutcome>;

export const failed = (code: string, message: string, more: Partial<Failed> = {}): Failed => ({
  kind: 'failed',
  code,
  message,
  ...more,
});
