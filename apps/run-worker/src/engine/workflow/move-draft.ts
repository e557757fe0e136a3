import {
  type NewNodeJob,
  type NewRunEvent,
  type NewWait,
  type NodeMove,
  type NodeState,
  type RunMove,
  type RunSnapshot,
  parseNodeCause,
  nodeRef,
} from '@lensforge/runs';
import { addTokenDetails } from '@lensforge/models';
import { NodeChanges } from './node-changes.js';
import type { Usage } from './node-events.js';
import type { NodePositions } from './plan.js';

type Used = Required<Pick<RunMove, 'spent' | 'modelCalls' | 'tokenInput' | 'tokenOutput' | 'tokenDetails'>>;

type NodeEventType = Extract<NewRunEvent['type'], `node.${string}` | `approval.${string}`>;

/** The move that a decision prepares. */
export class MoveDraft {
  readonly nodes: NodeChanges;
  readonly jobs: NewNodeJob[] = [];
  readonly waits: NewWait[] = [];
  end: RunMove['end'] = null;
  private readonly moves = new Map<string, NodeMove>();
  private readonly events: NewRunEvent[] = [];
  private used: Used = { spent: 0, modelCalls: 0, tokenInput: 0, tokenOutput: 0, tokenDetails: null };

  constructor(
    private readonly snapshot: RunSnapshot,
    private readonly positions: NodePositions,
  ) {
    this.nodes = new NodeChanges(snapshot.nodes);
  }

  node(key: string): NodeState {
    return this.nodes.get(key) ?? fresh(key);
  }

  put(key: string, change: Partial<NodeState>, more: Partial<NodeMove> = {}): void {
    const node = { ...this.node(key), ...change };
    this.nodes.set(key, node);
    const { id: nodeId, type } = this.positions.of(key).planned.node;
    const before = this.moves.get(key);
    const running = node.status === 'running';
    this.moves.set(key, {
      ...before,
      nodeId,
      type,
      ...node,
      ...more,
      worker: running ? (more.worker ?? before?.worker ?? null) : null,
      leaseMs: running ? (more.leaseMs ?? before?.leaseMs ?? null) : null,
      dueMs: node.status === 'waiting' || node.status === 'queued' ? (more.dueMs ?? null) : null,
    });
  }

  addEvent(type: NodeEventType, key: string, payload: object = {}): void {
    const { id: nodeId } = this.positions.of(key).planned.node;
    this.events.push({ type, payload: { ...nodeRef({ nodeId, nodeKey: key }), ...payload } } as NewRunEvent);
  }

  addUsage(
    key: string,
    { modelCalls = 0, tokenInput = 0, tokenOutput = 0, tokenDetails = null, cost = 0 }: Usage,
  ): void {
    if (modelCalls + tokenInput + tokenOutput + cost === 0) return;
    const { used } = this;
    this.used = {
      spent: used.spent + cost,
      modelCalls: used.modelCalls + modelCalls,
      tokenInput: used.tokenInput + tokenInput,
      tokenOutput: used.tokenOutput + tokenOutput,
      tokenDetails: addTokenDetails(used.tokenDetails, tokenDetails),
    };
    this.put(key, {}, { modelCalls, tokensUsed: tokenInput + tokenOutput, cost });
  }

  move(): RunMove {
    const { runId, version, requestId, traceparent, workflowId, attempt, planned, cause } = this.snapshot;
    const parent = this.end && parseNodeCause(cause);
    return {
      runId,
      version,
      requestId,
      traceparent,
      workflowId,
      attempt: planned ? null : attempt,
      ...this.used,
      events: this.events,
      nodes: [...this.moves.values()],
      jobs: this.end ? (parent ? [{ ...parent, key: parent.nodeKey, delayMs: 0 }] : []) : this.jobs,
      waits: this.end ? [] : this.waits,
      end: this.end,
    };
  }
}

const fresh = (key: string): NodeState => ({
  key,
  status: 'pending',
  generation: 0,
  attempt: 0,
  tries: 0,
  lostAttempts: 0,
  live: null,
  state: null,
});
