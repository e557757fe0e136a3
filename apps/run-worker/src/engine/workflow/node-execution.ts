import { isTooDeep, maxJsonDepth } from '@lensforge/contracts';
import { type Context, DomainError, noAccountId } from '@lensforge/core';
import { type NewRunEvent, type RunSnapshot, getCreditLimit, nodeRef, reserveForNode } from '@lensforge/runs';
import {
  ExpressionFault,
  type GraphNode,
  type Outcome,
  type Scope,
  computeExpressions,
  edgeInputs,
  failedByAuthor,
  resolveSettings,
  resolveValue,
  requireValue,
} from '@lensforge/workflows';
import { type ExecuteNode, type NodeOutcome, type NodeParts, type NodeWork, failed } from '../../nodes/node-type.js';
import { executors } from '../../nodes/node-types.js';
import { type NodeAttempt, Stopped } from '../attempt.js';
import { contextOfRun } from '../context-of-run.js';
import { isDatabaseFault, withLongRetry } from '../database-writes.js';
import type { DeltaStream } from '../delta-batcher.js';
import { outputEvents } from '../output-events.js';
import type { Timing } from '../timing.js';
import type { ClaimedNode } from './decide.js';
import type { NodePosition } from './plan.js';
import { maxBytesReferred, scopeValues } from './scope-values.js';
import type { ValueOf, WorkflowRunActor } from './workflow-run-actor.js';

export interface NodeExecutionParts extends NodeParts {
  timing: Timing;
  /** The timeout of a node without a timeout of its own. */
  timeoutMs: number;
  /** Opens a stream of text of a node, which is stored as events. */
  openStream: (attempt: NodeAttempt, eventsOf: (text: string) => NewRunEvent[]) => DeltaStream;
}

/** An attempt of a node that this process has begun. */
export interface BegunNode {
  actor: WorkflowRunActor;
  run: RunSnapshot;
  claimed: ClaimedNode;
  attempt: NodeAttempt;
  position: NodePosition;
}

/** Executes one attempt of a node. Throws only faults of the database, after which another attempt may succeed. */
export async function executeNode(
  parts: NodeExecutionParts,
  begun: BegunNode,
): Promise<NodeOutcome | { kind: 'lost'; resolved?: never }> {
  const { actor, attempt, position } = begun;
  const { node } = position.planned;
  const limitMs = node.timeoutSeconds === undefined ? ownLimitMs(parts, node) : node.timeoutSeconds * 1000;
  try {
    const resolved = await actor.withValues((values) => resolveInput(begun, values), { maxBytes: maxBytesReferred });
    const ref = nodeRef({ nodeId: node.id, nodeKey: attempt.held.nodeKey });
    const text = parts.openStream(attempt, (piece) => outputEvents(ref, piece));
    const execute = executors[node.type] as ExecuteNode<unknown>;
    const outcome = execute(toNodeWork(parts, begun, resolved, text));
    if (!(outcome instanceof Promise)) return withinDepth(outcome);
    const timer = parts.timing.after(limitMs, () => attempt.stop('timed_out'));
    try {
      return withinDepth(await attempt.unlessStopped(outcome));
    } finally {
      timer.cancel();
      await text.close();
    }
  } catch (reason) {
    if (reason instanceof Stopped) {
      if (reason.stopCause === 'released') return { kind: 'released' };
      if (reason.stopCause !== 'timed_out') return { kind: 'lost' };
      return failed('NODE_TIMED_OUT', `took longer than ${limitMs / 1000} s`, { timedOut: true });
    }
    if (reason instanceof ExpressionFault) return failByExpression(reason);
    if (reason instanceof DomainError) return failed(reason.code, reason.message, { retry: 'final' });
    if (isDatabaseFault(reason)) throw reason;
    parts.log.warn({ err: reason, ...attempt.held }, 'a node failed unexpectedly');
    return internalFailure;
  }
}

const failByExpression = ({ code, message }: ExpressionFault): NodeOutcome =>
  code === failedByAuthor
    ? failed('ASSERTION_FAILED', message, { retry: 'final' })
    : failed('EXPRESSION_FAILED', message, { retry: 'final' });

/** A repeat would have the same fault, and external effects for a second time. */
export const internalFailure = failed('INTERNAL', 'An unexpected fault of the platform ended this node', {
  retry: 'final',
});

/** Fails a node whose output is nested too deeply to be stored and read; its use still counts. */
function withinDepth(outcome: NodeOutcome): NodeOutcome {
  if (outcome.kind !== 'succeeded' || !isTooDeep(outcome.output)) return outcome;
  const { output: _, kind: __, ...used } = outcome;
  const message = `The output is nested deeper than ${maxJsonDepth} levels`;
  return { ...used, ...failed('OUTPUT_NOT_VALID', message, { retry: 'final' }) };
}

/** Agents end at a limit of their own; the timeout must not come first. */
const graceOfAgentsMs = 30_000;

const ownLimitMs = ({ timeoutMs }: NodeExecutionParts, node: GraphNode): number =>
  node.type === 'agent' || node.type === 'vote' ? node.settings.maxSeconds * 1000 + graceOfAgentsMs : timeoutMs;

interface ResolvedInput {
  input: Readonly<Record<string, unknown>>;
  outcomes: ReadonlyMap<string, Outcome>;
}

/** The input of a node from its edges, and the values of the expressions in its settings. */
async function resolveInput(begun: BegunNode, values: ValueOf): Promise<ResolvedInput> {
  const { run, position } = begun;
  const scope = buildScope(begun, values);
  const { expressions } = position.planned;
  const evaluations = expressions.map((text) => ({ text, scope }));
  const outcomes = await computeExpressions(evaluations, { account: run.accountId, ignoreQueueLimit: true });
  return {
    input: scope.input ?? {},
    outcomes: new Map(expressions.map((text, index) => [text, outcomes[index] as Outcome])),
  };
}

/** The scope of the expressions of a node: the nodes that they refer to, and the inputs from live edges. */
function buildScope({ run, position: { scope, planned } }: BegunNode, valueOf: ValueOf): Scope {
  const known = {
    runId: run.runId,
    inputs: run.inputs,
    statusOf: (key: string) => run.nodes.get(key)?.status,
    valueOf,
  };
  const edges = planned.incoming.filter(
    ({ from, id, input }) => input !== undefined && run.nodes.get(scope.prefix + from)?.live?.includes(id),
  );
  const ids = new Set([...planned.referredNodes(), ...edges.map(({ from }) => from)]);
  const found = scopeValues(known, scope, ids);
  return { ...found, input: edgeInputs(edges, (id) => found.nodes?.[id]?.output ?? null) };
}

function toNodeWork(
  parts: NodeExecutionParts,
  { run, claimed, attempt, position }: BegunNode,
  { input, outcomes }: ResolvedInput,
  text: DeltaStream,
): NodeWork<unknown> {
  const owner = { ...contextOfRun(parts.ctx, run), actor: toOwner(run) };
  const { held } = attempt;
  const evaluate = (expression: string): unknown => requireValue(outcomes.get(expression) as Outcome);
  const resolve = (value: unknown): unknown => resolveValue(value, evaluate);
  return {
    settings: resolveSettings(position.planned.node, resolve),
    evaluate,
    resolve,
    input,
    addText: (piece) => text.add(piece),
    run,
    parts,
    state: claimed.state,
    generation: claimed.generation,
    node: held,
    nodeId: position.planned.node.id,
    openStream: (eventOf) => parts.openStream(attempt, (piece) => [eventOf(piece)]),
    idempotencyKey: `${held.runId}:${held.nodeKey}`,
    signal: attempt.signal,
    beforeEffect: () => attempt.throwIfStale(),
    reserve: (order) => withLongRetry(() => reserveForNode(owner, held, order)),
    owner,
  };
}

/**
 * The owner of a run as the actor of its nodes, limited to lenses and workflows and to the credit limit of the credential
 * that started the run.
 */
const toOwner = ({ accountId, cause }: RunSnapshot): Context['actor'] => ({
  credential: { kind: 'session', id: noAccountId, ...getCreditLimit(cause) },
  accountId,
  userId: null,
  scopes: ['lenses:read', 'workflows:read', 'workflows:write'],
});
