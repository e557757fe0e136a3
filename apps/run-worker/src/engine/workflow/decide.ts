import type { NodeStatus } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import type {
  NewArtifact,
  NewNodeJob,
  NewRunEvent,
  NewWait,
  NodeMove,
  NodeState,
  RunMove,
  RunSnapshot,
} from '@lensforge/runs';
import { nodeOf, nodeRef } from '@lensforge/runs';
import type { GraphNode } from '@lensforge/workflows';
import { ExpressionFault, conditionOf, jsonSizeWithin, leafOutputs, valueOf } from '@lensforge/workflows';
import type { Computations } from './computations.js';
import { Uncomputed } from './computations.js';
import type { Failed, NodeEvent, Outcome, Usage, Waiting } from './node-events.js';
import type { PlannedNode, NodePositions, Scope } from './plan.js';
import { itemPrefix } from './plan.js';
import { NodeChanges } from './node-changes.js';
import type { Known, Value } from './scope-values.js';
import { MissingValues, ReferredBytes, nodesIn, scopeValues } from './scope-values.js';

export interface DecideOptions {
  worker: string;
  leaseMs: number;
  /** The number of ready nodes that the worker claims itself. */
  freeSlots: number;
  /** True when the worker may claim a node that has lost workers; such nodes are executed one at a time. */
  mayClaimSuspect: boolean;
  /** From 0 to 1. */
  random: () => number;
  valueOf: (key: string) => Value | undefined;
  computations: Computations;
}

/** A node that this worker has claimed. */
export interface ClaimedNode {
  key: string;
  attempt: number;
  generation: number;
  state: NodeState['state'];
  lostAttempts: number;
}

export interface Decision {
  /** Absent when nothing changes. */
  move: RunMove | undefined;
  snapshot: RunSnapshot;
  /** The changed nodes, for the snapshot after the commit. */
  nodes: ReadonlyMap<string, NodeState>;
  /** One for each event; false when the event came too late. */
  accepted: boolean[];
  claimed: ClaimedNode[];
  /** The results of nodes, for the cache after the commit. */
  values: ReadonlyMap<string, Value>;
  /** True when the move also settles credits or other runs. */
  needsSettlement: boolean;
}

/** Types of nodes that may have reserved credits or a running child run when they fail. */
const mayHold: ReadonlySet<GraphNode['type']> = new Set(['lens', 'workflow']);
const maxLost = 3;
/** A node that has lost this many workers may be the cause; such nodes are executed one at a time. */
export const suspectFrom = 2;
const mostPassingTries = 3;
const longestPauseMs = 3_600_000;
const largestOutputInEvent = 16_384;
/** The size limit of the outputs of a map or run. */
const largestOutputs = 4_194_304;
/** The size limit of the values that the outputs of a run, or of all items of a map, refer to. */
export const mostOutputBytes = 16_777_216;
/** Including the nodes of all items of its maps. */
const mostNodesOfRun = 25_000;
const primaryTextMembers = ['text'];

export const ended: ReadonlySet<NodeStatus> = new Set(['succeeded', 'failed', 'skipped', 'canceled', 'timed_out']);

/**
 * Decides what follows from events of nodes: a pure function of the snapshot, so that it can be repeated when another worker
 * has changed the run. Throws MissingValues when it needs results of nodes, and Uncomputed when the sandbox must compute
 * expressions first.
 */
export function decide(
  snapshot: RunSnapshot,
  positions: NodePositions,
  events: readonly NodeEvent[],
  options: DecideOptions,
): Decision {
  return new Decider(snapshot, positions, options).decide(events);
}

type MapState = { count: number; next: number; open: number; done: number; failed: number[] };

class Decider {
  private readonly nodes: NodeChanges;
  private readonly moves = new Map<string, NodeMove>();
  private readonly events: NewRunEvent[] = [];
  private readonly jobs: NewNodeJob[] = [];
  private readonly waits: NewWait[] = [];
  private readonly claimed: ClaimedNode[] = [];
  private readonly values = new Map<string, Value>();
  private readonly ready: string[] = [];
  private readonly changedScopes = new Set<string>();
  private used = { spent: 0, modelCalls: 0, tokenInput: 0, tokenOutput: 0 };
  private end: RunMove['end'] = null;
  private needsSettlement = false;
  /** The nodes of items of maps that have not started; counted when a map begins. */
  private unstarted: number | undefined;
  private mayClaimSuspect: boolean;
  private readonly known: Known;

  constructor(
    private readonly snapshot: RunSnapshot,
    private readonly positions: NodePositions,
    private readonly options: DecideOptions,
  ) {
    this.nodes = new NodeChanges(snapshot.nodes);
    this.mayClaimSuspect = options.mayClaimSuspect;
    this.known = {
      runId: snapshot.runId,
      inputs: snapshot.inputs,
      statusOf: (key) => this.nodes.get(key)?.status,
      valueOf: (key) => this.values.get(key) ?? options.valueOf(key),
    };
  }

  decide(events: readonly NodeEvent[]): Decision {
    const accepted = events.map(
      (event) => this.end === null && this.snapshot.status === 'running' && this.applyEvent(event),
    );
    this.settleScopes();
    this.claimReady();
    const { snapshot } = this;
    const changed = accepted.includes(true);
    const version = snapshot.version + (changed ? 1 : 0);
    const status = this.end?.status ?? snapshot.status;
    return {
      move: changed ? this.move() : undefined,
      snapshot: { ...snapshot, version, status, planned: true },
      nodes: this.nodes.changed,
      accepted,
      claimed: this.end ? [] : this.claimed,
      values: this.values,
      needsSettlement: this.needsSettlement,
    };
  }

  private move(): RunMove {
    const { runId, version, requestId, traceparent, workflowId, attempt, planned } = this.snapshot;
    const parent = this.end && nodeOf(this.snapshot.cause);
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

  private applyEvent(event: NodeEvent): boolean {
    switch (event.kind) {
      case 'start':
        return !this.snapshot.planned && this.start();
      case 'claim':
        return this.claim(event.key, event.generation);
      case 'lost':
        return this.lost(event.key, event.attempt);
      case 'finish':
        return this.finish(event);
    }
  }

  /** Starts the first nodes; results that were copied from an earlier run count as done. */
  private start(): true {
    const copied = [...this.nodes].map(([key]) => key).filter((key) => !this.positions.of(key).scope.of);
    for (const id of this.positions.plan.roots) if (!this.nodes.has(id)) this.becomeReady(id);
    for (const key of copied) this.settleSuccessors(key);
    this.changedScopes.add('');
    return true;
  }

  /** A waiting node may be woken at any time; its executor checks whether it can continue. */
  private claim(key: string, generation: number): boolean {
    const node = this.nodes.get(key);
    if (!node) return false;
    if (node.status === 'queued' ? node.generation !== generation : node.status !== 'waiting') return false;
    if (this.positions.of(key).planned.node.type === 'map' && node.status === 'waiting') return false;
    if (node.lostAttempts >= suspectFrom) {
      if (!this.mayClaimSuspect) return false;
      this.mayClaimSuspect = false;
    }
    this.claimNode(key);
    return true;
  }

  private claimNode(key: string): void {
    const node = this.node(key);
    const attempt = node.attempt + 1;
    this.put(key, { status: 'running', attempt }, { worker: this.options.worker, leaseMs: this.options.leaseMs });
    this.addEvent('node.started', key, { attempt });
    this.claimed.push({
      key,
      attempt,
      generation: node.generation,
      state: node.state,
      lostAttempts: node.lostAttempts,
    });
  }

  private lost(key: string, attempt: number): boolean {
    const node = this.nodes.get(key);
    if (node?.status !== 'running' || node.attempt !== attempt) return false;
    const lostAttempts = node.lostAttempts + 1;
    if (lostAttempts >= maxLost) {
      this.put(key, { lostAttempts });
      const message = `the worker was lost ${maxLost} times while it executed this node`;
      this.fail(key, { kind: 'failed', code: 'WORKER_LOST', message });
      return true;
    }
    this.put(key, { lostAttempts });
    this.requeue(key, 0, 'the worker was lost');
    return true;
  }

  private finish({ key, attempt, outcome, resolved }: Extract<NodeEvent, { kind: 'finish' }>): boolean {
    const node = this.nodes.get(key);
    if (node?.status !== 'running' || node.attempt !== attempt) return false;
    if (resolved) this.addEvent('approval.resolved', key, { decision: resolved });
    this.applyOutcome(key, node, outcome);
    return true;
  }

  private applyOutcome(key: string, node: NodeState, outcome: Outcome): void {
    switch (outcome.kind) {
      case 'succeeded':
        this.use(key, outcome);
        this.succeed(key, outcome.output, outcome.input);
        return;
      case 'failed': {
        this.use(key, outcome);
        const delayMs = this.pauseBefore(key, node, outcome);
        if (delayMs === undefined) return this.fail(key, outcome);
        this.put(key, { tries: node.tries + 1 });
        return this.requeue(key, delayMs, `${outcome.code}: ${outcome.message}`);
      }
      case 'waiting':
        return this.wait(key, outcome);
      case 'mapped':
        return this.beginMap(key, outcome.items);
      case 'released':
        return this.requeue(key, 0, 'the worker is stopping');
    }
  }

  private use(
    key: string,
    { modelCalls = 0, tokenInput = 0, tokenOutput = 0, cost = 0, reserved = false }: Usage,
  ): void {
    if (reserved) this.needsSettlement = true;
    if (modelCalls + tokenInput + tokenOutput + cost === 0) return;
    const { used } = this;
    this.used = {
      spent: used.spent + cost,
      modelCalls: used.modelCalls + modelCalls,
      tokenInput: used.tokenInput + tokenInput,
      tokenOutput: used.tokenOutput + tokenOutput,
    };
    this.put(key, {}, { modelCalls, tokensUsed: tokenInput + tokenOutput, cost });
  }

  private pauseBefore(
    key: string,
    { tries }: NodeState,
    { retry: mayRetry, afterMs = 0, endsRun }: Failed,
  ): number | undefined {
    const { retry } = this.positions.of(key).planned.node;
    if (endsRun || mayRetry === 'final') return undefined;
    const most = retry?.attempts ?? (mayRetry === 'passing' ? mostPassingTries : 1);
    if (tries + 1 >= most) return undefined;
    const grown = (retry?.delaySeconds ?? 1) * 1000 * (retry?.factor ?? 2) ** tries;
    const delayMs = Math.round(Math.max(Math.min(grown, longestPauseMs) * (0.5 + this.options.random() / 2), afterMs));
    return delayMs < this.snapshot.msToDeadline ? delayMs : undefined;
  }

  private requeue(key: string, delayMs: number, reason: string): void {
    const generation = this.node(key).generation + 1;
    this.put(key, { status: 'queued', generation }, { dueMs: delayMs });
    this.addEvent('node.retrying', key, { reason: reason.slice(0, 1000), delayMs });
    this.jobs.push({ key, generation, delayMs });
  }

  private wait(key: string, { dueMs, until, state, input, ask }: Waiting): void {
    const before = this.node(key);
    const first = before.attempt === 1 || ask !== undefined;
    const generation = before.generation + 1;
    const wasWoken = before.state?.['woken'] === true;
    this.put(
      key,
      { status: 'waiting', generation, state: state ?? null },
      { dueMs, ...(input !== undefined && { input }) },
    );
    const { type } = this.positions.of(key).planned.node;
    if (first) this.addEvent('node.waiting', key, { type, ...(until !== undefined && { until }) });
    if (ask) {
      this.waits.push({ ...ask, key });
      if (ask.kind === 'approval') {
        this.addEvent('approval.requested', key, {
          approvalId: ask.id,
          ...(ask.message !== null && { message: ask.message }),
        });
      }
    }
    this.jobs.push({ key, generation, delayMs: wasWoken ? 0 : Math.max(dueMs, 1) });
  }

  private succeed(key: string, output: unknown, input?: unknown): void {
    const size = sizeOf(output);
    this.values.set(key, { input: null, output, error: null, size });
    this.put(key, { status: 'succeeded' }, { output, ...(input !== undefined && { input }) });
    const live = this.liveEdges(key);
    if (live instanceof ExpressionFault) {
      return this.fail(key, { kind: 'failed', code: 'CONDITION_FAILED', message: live.message });
    }
    this.put(key, { status: 'succeeded', live });
    const inEvent = output !== undefined && output !== null && size <= largestOutputInEvent;
    this.addEvent('node.succeeded', key, inEvent ? { output } : {});
    this.settleSuccessors(key);
  }

  private fail(key: string, outcome: Failed): void {
    const { scope, planned } = this.positions.of(key);
    const { code, message, input, timedOut, endsRun } = outcome;
    const error = { code, message: message.slice(0, 2000) };
    const status = timedOut ? 'timed_out' : 'failed';
    if (mayHold.has(planned.node.type)) this.needsSettlement = true;
    this.values.set(key, { input: null, output: null, error, size: 0 });
    this.put(key, { status, live: [] }, { error, ...(input !== undefined && { input }) });
    this.addEvent(`node.${status}`, key, { errorCode: code, errorMessage: error.message });
    if (planned.node.onError === 'continue' && !endsRun) {
      const live = this.liveEdges(key);
      if (!(live instanceof ExpressionFault)) {
        this.put(key, { status, live });
        return this.settleSuccessors(key);
      }
    }
    if (endsRun || !scope.of) return this.failRun(key, error);
    this.endItem(scope.of.mapKey, scope.of.index, error);
  }

  private failRun(key: string, { code, message }: { code: string; message: string }): void {
    this.cancelOpen('');
    this.needsSettlement = true;
    this.end = { status: 'failed', artifacts: [], failure: { errorCode: code, errorMessage: `${key}: ${message}` } };
  }

  private liveEdges(key: string): string[] | ExpressionFault {
    const { scope, planned } = this.positions.of(key);
    try {
      const conditions = planned.outgoing.flatMap(({ id, when }) => (when === undefined ? [] : [[id, when] as const]));
      const values = conditions.length > 0 ? this.computed(`${key} > `, scope, conditions) : {};
      return planned.outgoing
        .filter(({ id, when }) => when === undefined || conditionOf(values[id]))
        .map(({ id }) => id);
    } catch (reason) {
      if (reason instanceof ExpressionFault) return reason;
      throw reason;
    }
  }

  /** The values of expressions by name; throws the fault of an expression when all are computed. */
  private computed(
    prefix: string,
    scope: Scope,
    texts: readonly (readonly [string, string])[],
    bytes?: ReferredBytes,
  ): Record<string, unknown> {
    const ids = nodesIn(
      texts.map(([, text]) => text),
      scope,
    );
    const values = scopeValues(this.known, scope, ids, bytes);
    const { computations } = this.options;
    const outcomes = texts.map(([name, text]) => computations.outcomeOf(prefix + name, { text, scope: values }));
    return Object.fromEntries(
      texts.map(([name], index) => {
        const outcome = outcomes[index];
        if (!outcome) throw new Uncomputed();
        return [name, valueOf(outcome)];
      }),
    );
  }

  /** Makes the successors of an ended node ready or skipped. */
  private settleSuccessors(key: string): void {
    const { scope, planned } = this.positions.of(key);
    this.changedScopes.add(scope.prefix);
    const waiting: { scope: Scope; planned: PlannedNode }[] = [{ scope, planned }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      for (const id of next.planned.targets) {
        const target = scope.plan.nodes.get(id);
        const at = scope.prefix + id;
        if (!target || this.nodes.has(at)) continue;
        const before = target.incoming.map((edge) => ({ edge, source: this.nodes.get(scope.prefix + edge.from) }));
        if (!before.every(({ source }) => source && ended.has(source.status))) continue;
        if (before.some(({ edge, source }) => source?.live?.includes(edge.id))) {
          this.becomeReady(at);
          continue;
        }
        this.put(at, { status: 'skipped', live: [] });
        this.addEvent('node.skipped', at);
        waiting.push({ scope, planned: target });
      }
    }
  }

  private becomeReady(key: string): void {
    this.put(key, { status: 'queued' });
    this.ready.push(key);
  }

  /** Claims ready nodes while the worker has free slots, and creates jobs for the others. */
  private claimReady(): void {
    if (this.end) return;
    let { freeSlots } = this.options;
    for (const key of this.ready) {
      const { status, generation } = this.node(key);
      if (status !== 'queued') continue;
      if (freeSlots > 0) {
        freeSlots -= 1;
        this.claimNode(key);
        continue;
      }
      this.addEvent('node.queued', key);
      this.jobs.push({ key, generation, delayMs: 0 });
    }
  }

  private beginMap(key: string, items: readonly unknown[]): void {
    const added = items.length * this.nodesPerItem(key);
    const unstarted = this.countUnstarted();
    const nodes = this.nodes.size + unstarted + added;
    if (nodes > mostNodesOfRun) {
      const message = `with ${items.length} items the run would have ${nodes} nodes, and it may have ${mostNodesOfRun}`;
      return this.fail(key, { kind: 'failed', code: 'TOO_MANY_NODES', message });
    }
    this.values.set(key, { input: items, output: null, error: null, open: true, size: sizeOf(items) });
    this.put(key, { status: 'waiting' }, { input: items });
    if (items.length === 0) return this.succeed(key, [], items);
    this.addEvent('node.waiting', key, { type: 'map' });
    this.unstarted = unstarted + added;
    this.nextItems(key, { count: items.length, next: 0, open: 0, done: 0, failed: [] });
  }

  private nextItems(key: string, state: MapState): void {
    const { planned } = this.positions.of(key);
    const { inner, node } = planned;
    const most = node.type === 'map' ? node.settings.concurrency : 1;
    const started: number[] = [];
    while (inner && state.open < most && state.next < state.count) {
      started.push(state.next);
      state = { ...state, open: state.open + 1, next: state.next + 1 };
    }
    this.put(key, { state });
    if (this.unstarted !== undefined) this.unstarted -= started.length * this.nodesPerItem(key);
    for (const index of started) {
      const prefix = itemPrefix(key, index);
      for (const id of inner?.roots ?? []) if (!this.nodes.has(prefix + id)) this.becomeReady(prefix + id);
      this.changedScopes.add(prefix);
    }
  }

  private nodesPerItem(map: string): number {
    return this.positions.of(map).planned.inner?.nodes.size ?? 0;
  }

  /** Counts the nodes of items that have not started. Otherwise each of several maps within a map would use the whole limit. */
  private countUnstarted(): number {
    if (this.unstarted !== undefined) return this.unstarted;
    let count = 0;
    for (const [key, { status, state }] of this.nodes) {
      if (status !== 'waiting' || this.positions.of(key).planned.node.type !== 'map') continue;
      const { count: items, next } = state as MapState;
      count += (items - next) * this.nodesPerItem(key);
    }
    return count;
  }

  /** Ends items of maps, and the run, when all of their nodes have ended. */
  private settleScopes(): void {
    for (let [prefix] = this.changedScopes; prefix !== undefined && !this.end; [prefix] = this.changedScopes) {
      this.changedScopes.delete(prefix);
      const scope = this.positions.scope(prefix);
      if (scope.of && this.nodes.get(scope.of.mapKey)?.status !== 'waiting') continue;
      const all = scope.plan.graph.nodes.every(({ id }) => {
        const status = this.nodes.get(prefix + id)?.status;
        return status !== undefined && ended.has(status);
      });
      if (!all) continue;
      if (scope.of) this.endItem(scope.of.mapKey, scope.of.index);
      else this.endRun();
    }
  }

  private endItem(mapKey: string, index: number, error?: { code: string; message: string }): void {
    const map = this.node(mapKey);
    if (map.status !== 'waiting') return;
    const { planned } = this.positions.of(mapKey);
    let state = map.state as MapState;
    if (state.failed.includes(index)) return;
    if (error) {
      this.cancelOpen(itemPrefix(mapKey, index));
      if (planned.node.type === 'map' && planned.node.settings.onItemError === 'fail') {
        this.cancelOpen(`${mapKey}[`);
        return this.fail(mapKey, { kind: 'failed', code: error.code, message: `item ${index}: ${error.message}` });
      }
      state = { ...state, failed: [...state.failed, index] };
    }
    state = { ...state, open: state.open - 1, done: state.done + 1 };
    if (state.done < state.count) return this.nextItems(mapKey, state);
    this.put(mapKey, { state });
    this.collectOutputs(mapKey, state);
  }

  private collectOutputs(mapKey: string, { count, failed }: MapState): void {
    const failedItems = new Set(failed);
    const scopes = Array.from({ length: count }, (_, index) =>
      failedItems.has(index) ? undefined : this.positions.scope(itemPrefix(mapKey, index)),
    );
    try {
      this.succeed(mapKey, withinLimit(this.outputsOfAll(scopes)));
    } catch (reason) {
      if (!(reason instanceof ExpressionFault)) throw reason;
      this.fail(mapKey, { kind: 'failed', code: 'OUTPUTS_FAILED', message: reason.message });
    }
  }

  /** Collects missing and uncomputed values of all items before it throws, so that they are read together. */
  private outputsOfAll(scopes: readonly (Scope | undefined)[]): (Record<string, unknown> | null)[] {
    const missing: string[] = [];
    let uncomputed: Uncomputed | undefined;
    const bytes = new ReferredBytes(mostOutputBytes);
    const results = scopes.map((scope) => {
      try {
        return scope ? this.outputs(scope, bytes) : null;
      } catch (reason) {
        if (reason instanceof MissingValues) missing.push(...reason.keys);
        else if (reason instanceof Uncomputed) uncomputed = reason;
        else throw reason;
        return null;
      }
    });
    if (missing.length > 0) throw new MissingValues(missing);
    if (uncomputed) throw uncomputed;
    return results;
  }

  private outputs(scope: Scope, bytes = new ReferredBytes(mostOutputBytes)): Record<string, unknown> {
    const { graph, nodes } = scope.plan;
    if (graph.outputs) return this.computed(`${scope.prefix} = `, scope, Object.entries(graph.outputs), bytes);
    const last = graph.nodes.map(({ id }) => id).filter((id) => nodes.get(id)?.outgoing.length === 0);
    return leafOutputs(graph, scopeValues(this.known, scope, last, bytes));
  }

  private endRun(): void {
    const scope = this.positions.scope('');
    try {
      const artifacts = scope.plan.graph.nodes.length === 0 ? [] : artifactsOf(withinLimit(this.outputs(scope)));
      this.end = { status: 'succeeded', artifacts, failure: null };
    } catch (reason) {
      if (!(reason instanceof ExpressionFault)) throw reason;
      const failure = { errorCode: 'OUTPUTS_FAILED', errorMessage: `outputs: ${reason.message}` };
      this.end = { status: 'failed', artifacts: [], failure };
    }
  }

  private cancelOpen(prefix: string): void {
    for (const [key, { status }] of this.nodes) {
      if (!key.startsWith(prefix) || ended.has(status)) continue;
      this.needsSettlement ||= this.snapshot.nodes.has(key);
      this.put(key, { status: 'canceled', live: [] });
      this.addEvent('node.canceled', key);
    }
  }

  private node(key: string): NodeState {
    return this.nodes.get(key) ?? fresh(key);
  }

  private put(key: string, change: Partial<NodeState>, more: Partial<NodeMove> = {}): void {
    const node = { ...this.node(key), ...change };
    this.nodes.set(key, node);
    const { node: planned } = this.positions.of(key).planned;
    const before = this.moves.get(key);
    const running = node.status === 'running';
    this.moves.set(key, {
      ...before,
      ...identityOf(planned),
      ...node,
      ...more,
      worker: running ? (more.worker ?? before?.worker ?? null) : null,
      leaseMs: running ? (more.leaseMs ?? before?.leaseMs ?? null) : null,
      dueMs: node.status === 'waiting' || node.status === 'queued' ? (more.dueMs ?? null) : null,
    });
  }

  private addEvent(type: NodeEventType, key: string, payload: object = {}): void {
    const { id: nodeId } = this.positions.of(key).planned.node;
    this.events.push({ type, payload: { ...nodeRef({ nodeId, nodeKey: key }), ...payload } } as NewRunEvent);
  }
}

type NodeEventType = Extract<NewRunEvent['type'], `node.${string}` | `approval.${string}`>;

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

const identityOf = ({ id, type }: GraphNode): { nodeId: string; type: string } => ({ nodeId: id, type });

const sizeOf = (value: unknown): number => JSON.stringify(value ?? null).length;

function withinLimit<T>(outputs: T): T {
  if (jsonSizeWithin(outputs, largestOutputs) !== Infinity) return outputs;
  throw new ExpressionFault('too_large', `are larger than ${largestOutputs} bytes together`);
}

/** A single text output becomes the primary artifact; the outputs by name are a second one. */
function artifactsOf(outputs: Record<string, unknown>): NewArtifact[] {
  const members = Object.values(outputs);
  const text = members.length === 1 ? textOf(members[0]) : undefined;
  const json: NewArtifact = {
    id: newId(),
    kind: 'json',
    contentText: null,
    contentJson: outputs,
    isPrimaryOutput: text === undefined,
  };
  if (text === undefined) return [json];
  return [{ id: newId(), kind: 'text', contentText: text, contentJson: null, isPrimaryOutput: true }, json];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const names = Object.keys(value);
  const text: unknown = (value as { text?: unknown }).text;
  return typeof text === 'string' && names.every((name) => primaryTextMembers.includes(name)) ? text : undefined;
}
