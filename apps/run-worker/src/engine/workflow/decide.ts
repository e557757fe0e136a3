import type { NodeStatus } from '@lensforge/contracts';
import type { NewArtifact, NodeState, RunMove, RunSnapshot } from '@lensforge/runs';
import { ExpressionFault, type GraphNode, requireCondition } from '@lensforge/workflows';
import type { Computations } from './computations.js';
import { DecisionValues } from './decision-values.js';
import { type MapState, countUnstarted, endItem, startMap, nodesPerItem, startItems, stateOfMap } from './map-state.js';
import { MoveDraft } from './move-draft.js';
import type { NodeChanges } from './node-changes.js';
import type { Failed, NodeEvent, Outcome, Usage, Waiting } from './node-events.js';
import { type NodePositions, type PlannedNode, type Scope, itemPrefix } from './plan.js';
import { retryPause } from './retry-pause.js';
import { buildKeptArtifact, buildOutputArtifacts, withinLimit } from './run-outputs.js';
import type { Value } from './scope-values.js';

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
const mayHold: ReadonlySet<GraphNode['type']> = new Set(['lens', 'workflow', 'agent', 'vote']);
const maxLost = 3;
/** A node that has lost this many workers may be the cause; such nodes are executed one at a time. */
export const suspectFrom = 2;
const maxOutputInEvent = 16_384;
/** Including the nodes of all items of its maps. */
const maxNodesOfRun = 25_000;

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

class Decider {
  private readonly draft: MoveDraft;
  private readonly nodes: NodeChanges;
  private readonly values: DecisionValues;
  private readonly claimed: ClaimedNode[] = [];
  private readonly ready: string[] = [];
  private readonly changedScopes = new Set<string>();
  private needsSettlement = false;
  /** The nodes of items of maps that have not started; counted when a map begins. */
  private unstarted: number | undefined;
  private mayClaimSuspect: boolean;

  constructor(
    private readonly snapshot: RunSnapshot,
    private readonly positions: NodePositions,
    private readonly options: DecideOptions,
  ) {
    this.draft = new MoveDraft(snapshot, positions);
    this.nodes = this.draft.nodes;
    this.mayClaimSuspect = options.mayClaimSuspect;
    const known = {
      runId: snapshot.runId,
      inputs: snapshot.inputs,
      statusOf: (key: string) => this.nodes.get(key)?.status,
      valueOf: options.valueOf,
    };
    this.values = new DecisionValues(known, options.computations);
  }

  decide(events: readonly NodeEvent[]): Decision {
    const { snapshot, draft } = this;
    const accepted = events.map(
      (event) => draft.end === null && snapshot.status === 'running' && this.applyEvent(event),
    );
    this.settleScopes();
    this.claimReady();
    const changed = accepted.includes(true);
    const version = snapshot.version + (changed ? 1 : 0);
    const status = draft.end?.status ?? snapshot.status;
    return {
      move: changed ? draft.move() : undefined,
      snapshot: { ...snapshot, version, status, planned: true },
      nodes: this.nodes.changed,
      accepted,
      claimed: draft.end ? [] : this.claimed,
      values: this.values.added,
      needsSettlement: this.needsSettlement,
    };
  }

  /** True for the run of a lens with tools. */
  private get isOfLens(): boolean {
    return this.snapshot.workflowId === null;
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
    const node = this.draft.node(key);
    const attempt = node.attempt + 1;
    this.draft.put(key, { status: 'running', attempt }, { worker: this.options.worker, leaseMs: this.options.leaseMs });
    this.draft.addEvent('node.started', key, { attempt });
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
      this.draft.put(key, { lostAttempts });
      const message = `the worker was lost ${maxLost} times while it executed this node`;
      this.fail(key, { kind: 'failed', code: 'WORKER_LOST', message });
      return true;
    }
    this.draft.put(key, { lostAttempts });
    this.requeue(key, 0, 'the worker was lost');
    return true;
  }

  private finish({ key, attempt, outcome, resolved }: Extract<NodeEvent, { kind: 'finish' }>): boolean {
    const node = this.nodes.get(key);
    if (node?.status !== 'running' || node.attempt !== attempt) return false;
    if (resolved) this.draft.addEvent('approval.resolved', key, { decision: resolved });
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
        this.draft.put(key, { tries: node.tries + 1 });
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

  private use(key: string, usage: Usage): void {
    if (usage.reserved) this.needsSettlement = true;
    this.draft.addUsage(key, usage);
  }

  private pauseBefore(key: string, { tries }: NodeState, outcome: Failed): number | undefined {
    const { random } = this.options;
    const { msToDeadline } = this.snapshot;
    return retryPause(this.positions.of(key).planned.node, outcome, { tries, random, msToDeadline });
  }

  private requeue(key: string, delayMs: number, reason: string): void {
    const generation = this.draft.node(key).generation + 1;
    this.draft.put(key, { status: 'queued', generation }, { dueMs: delayMs });
    this.draft.addEvent('node.retrying', key, { reason: reason.slice(0, 1000), delayMs });
    this.draft.jobs.push({ key, generation, delayMs });
  }

  private wait(key: string, { dueMs, until, state, input, ask, announce = false }: Waiting): void {
    const before = this.draft.node(key);
    const first = before.attempt === 1 || ask !== undefined || announce;
    const generation = before.generation + 1;
    const wasWoken = before.state?.['woken'] === true;
    this.draft.put(
      key,
      { status: 'waiting', generation, state: state ?? null },
      { dueMs, ...(input !== undefined && { input }) },
    );
    const { type } = this.positions.of(key).planned.node;
    if (first) this.draft.addEvent('node.waiting', key, { type, ...(until !== undefined && { until }) });
    if (ask) {
      this.draft.waits.push({ ...ask, key });
      if (ask.kind === 'approval') {
        this.draft.addEvent('approval.requested', key, {
          approvalId: ask.id,
          ...(ask.message !== null && { message: ask.message }),
        });
      }
    }
    this.draft.jobs.push({ key, generation, delayMs: wasWoken ? 0 : Math.max(dueMs, 1) });
  }

  private succeed(key: string, output: unknown, input?: unknown): void {
    const size = measureJson(output);
    this.values.added.set(key, { input: null, output, error: null, size });
    this.draft.put(key, { status: 'succeeded' }, { output, ...(input !== undefined && { input }) });
    const live = this.liveEdges(key);
    if (live instanceof ExpressionFault) {
      return this.fail(key, { kind: 'failed', code: 'CONDITION_FAILED', message: live.message });
    }
    this.draft.put(key, { status: 'succeeded', live });
    const inEvent = output !== undefined && output !== null && size <= maxOutputInEvent;
    this.draft.addEvent('node.succeeded', key, inEvent ? { output } : {});
    this.settleSuccessors(key);
  }

  private fail(key: string, outcome: Failed): void {
    const { scope, planned } = this.positions.of(key);
    const { code, message, input, timedOut, endsRun } = outcome;
    const error = { code, message: message.slice(0, 2000) };
    const status = timedOut ? 'timed_out' : 'failed';
    if (mayHold.has(planned.node.type)) this.needsSettlement = true;
    this.values.added.set(key, { input: null, output: null, error, size: 0 });
    this.draft.put(key, { status, live: [] }, { error, ...(input !== undefined && { input }) });
    this.draft.addEvent(`node.${status}`, key, { errorCode: code, errorMessage: error.message });
    if (planned.node.onError === 'continue' && !endsRun) {
      const live = this.liveEdges(key);
      if (!(live instanceof ExpressionFault)) {
        this.draft.put(key, { status, live });
        return this.settleSuccessors(key);
      }
    }
    if (endsRun || !scope.of) return this.failRun(key, error);
    this.endItem(scope.of.mapKey, scope.of.index, error);
  }

  private failRun(key: string, { code, message }: { code: string; message: string }): void {
    this.cancelOpen('');
    this.needsSettlement = true;
    this.draft.end = {
      status: 'failed',
      artifacts: this.collectKeptOutputs(),
      failure: { errorCode: code, errorMessage: this.isOfLens ? message : `${key}: ${message}` },
    };
  }

  /** The outputs that a failed run had: those of which all nodes succeeded. */
  private collectKeptOutputs(): NewArtifact[] {
    if (this.isOfLens) return [];
    try {
      const outputs = withinLimit(this.values.findSucceededOutputs(this.positions.scope('')));
      return Object.keys(outputs).length > 0 ? [buildKeptArtifact(outputs)] : [];
    } catch (reason) {
      if (!(reason instanceof ExpressionFault)) throw reason;
      return [];
    }
  }

  private liveEdges(key: string): string[] | ExpressionFault {
    const { scope, planned } = this.positions.of(key);
    try {
      const conditions = planned.outgoing.flatMap(({ id, when }) => (when === undefined ? [] : [[id, when] as const]));
      const values = conditions.length > 0 ? this.values.computed(`${key} > `, scope, conditions) : {};
      return planned.outgoing
        .filter(({ id, when }) => when === undefined || requireCondition(values[id]))
        .map(({ id }) => id);
    } catch (reason) {
      if (reason instanceof ExpressionFault) return reason;
      throw reason;
    }
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
        this.draft.put(at, { status: 'skipped', live: [] });
        this.draft.addEvent('node.skipped', at);
        waiting.push({ scope, planned: target });
      }
    }
  }

  private becomeReady(key: string): void {
    this.draft.put(key, { status: 'queued' });
    this.ready.push(key);
  }

  /** Claims ready nodes while the worker has free slots, and creates jobs for the others. */
  private claimReady(): void {
    if (this.draft.end) return;
    let { freeSlots } = this.options;
    for (const key of this.ready) {
      const { status, generation } = this.draft.node(key);
      if (status !== 'queued') continue;
      if (freeSlots > 0) {
        freeSlots -= 1;
        this.claimNode(key);
        continue;
      }
      this.draft.addEvent('node.queued', key);
      this.draft.jobs.push({ key, generation, delayMs: 0 });
    }
  }

  private beginMap(key: string, items: readonly unknown[]): void {
    const added = items.length * nodesPerItem(this.positions, key);
    const unstarted = this.unstarted ?? countUnstarted(this.positions, this.nodes);
    const nodes = this.nodes.size + unstarted + added;
    if (nodes > maxNodesOfRun) {
      const message = `with ${items.length} items the run would have ${nodes} nodes, and it may have ${maxNodesOfRun}`;
      return this.fail(key, { kind: 'failed', code: 'TOO_MANY_NODES', message });
    }
    this.values.added.set(key, { input: items, output: null, error: null, open: true, size: measureJson(items) });
    this.draft.put(key, { status: 'waiting' }, { input: items });
    if (items.length === 0) return this.succeed(key, [], items);
    this.draft.addEvent('node.waiting', key, { type: 'map' });
    this.unstarted = unstarted + added;
    this.nextItems(key, startMap(items.length));
  }

  private nextItems(key: string, before: MapState): void {
    const { inner, node } = this.positions.of(key).planned;
    const { state, started } = startItems(before, node.type === 'map' ? node.settings.concurrency : 1);
    this.draft.put(key, { state });
    if (this.unstarted !== undefined) this.unstarted -= started.length * nodesPerItem(this.positions, key);
    for (const index of started) {
      const prefix = itemPrefix(key, index);
      for (const id of inner?.roots ?? []) if (!this.nodes.has(prefix + id)) this.becomeReady(prefix + id);
      this.changedScopes.add(prefix);
    }
  }

  /** Ends items of maps, and the run, when all of their nodes have ended. */
  private settleScopes(): void {
    for (let [prefix] = this.changedScopes; prefix !== undefined && !this.draft.end; [prefix] = this.changedScopes) {
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
    const map = this.draft.node(mapKey);
    if (map.status !== 'waiting') return;
    const { node } = this.positions.of(mapKey).planned;
    const before = stateOfMap(map);
    if (before.failed.includes(index)) return;
    if (error) {
      this.cancelOpen(itemPrefix(mapKey, index));
      if (node.type === 'map' && node.settings.onItemError === 'fail') {
        this.cancelOpen(`${mapKey}[`);
        return this.fail(mapKey, { kind: 'failed', code: error.code, message: `item ${index}: ${error.message}` });
      }
    }
    const state = endItem(before, index, { failed: error !== undefined });
    if (state.done < state.count) return this.nextItems(mapKey, state);
    this.draft.put(mapKey, { state });
    this.collectOutputs(mapKey, state);
  }

  private collectOutputs(mapKey: string, { count, failed }: MapState): void {
    const failedItems = new Set(failed);
    const scopes = Array.from({ length: count }, (_, index) =>
      failedItems.has(index) ? undefined : this.positions.scope(itemPrefix(mapKey, index)),
    );
    try {
      this.succeed(mapKey, withinLimit(this.values.outputsOfAll(scopes)));
    } catch (reason) {
      if (!(reason instanceof ExpressionFault)) throw reason;
      this.fail(mapKey, { kind: 'failed', code: 'OUTPUTS_FAILED', message: reason.message });
    }
  }

  private endRun(): void {
    const scope = this.positions.scope('');
    try {
      const artifacts =
        scope.plan.graph.nodes.length === 0
          ? []
          : buildOutputArtifacts(withinLimit(this.values.outputs(scope)), { isOfLens: this.isOfLens });
      this.draft.end = { status: 'succeeded', artifacts, failure: null };
    } catch (reason) {
      if (!(reason instanceof ExpressionFault)) throw reason;
      const failure = { errorCode: 'OUTPUTS_FAILED', errorMessage: `outputs: ${reason.message}` };
      this.draft.end = { status: 'failed', artifacts: this.collectKeptOutputs(), failure };
    }
  }

  private cancelOpen(prefix: string): void {
    for (const [key, { status }] of this.nodes) {
      if (!key.startsWith(prefix) || ended.has(status)) continue;
      this.needsSettlement ||= this.snapshot.nodes.has(key);
      this.draft.put(key, { status: 'canceled', live: [] });
      this.draft.addEvent('node.canceled', key);
    }
  }
}

const measureJson = (value: unknown): number => JSON.stringify(value ?? null).length;
