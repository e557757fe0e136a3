import { type ConcurrencyStrategy, type FundingSource, isRecord, isReplayed } from '@lensforge/contracts';
import {
  type Context,
  type Credential,
  type Rights,
  toAuthority,
  badInput,
  intersectRights,
  newId,
  readRights,
  requireScope,
} from '@lensforge/core';
import {
  type Graph,
  type GraphNode,
  type RunnableWorkflow,
  allNodes,
  readEditor,
  maxRunMs,
  chooseWorkflow,
  validateInputs,
} from '@lensforge/workflows';
import { type ReleaseRequest, toReleaseColumns, toStickyHash } from './release.js';
import { toConcurrencyColumns } from '../admit/concurrency-keys.js';
import { type AcceptedRun, acceptOnce } from './accept-once.js';
import { decideFunding, byokKeyChoice, restrictModels } from './funding.js';
import type { NewRun } from './insert-runs.js';
import { chooseModel } from '@lensforge/models';
import { getExecutionMs } from '../run-limits.js';

export interface WorkflowRunOrder extends ReleaseRequest {
  workflowId: string;
  /** The id or number of a version; by default the newest. */
  version?: string | number | undefined;
  inputs: Record<string, unknown>;
  /** The model of all its nodes. */
  modelOverride?: string | undefined;
  idempotencyKey?: string | undefined;
  /** The effect of another request under a used idempotency key: an error, or the existing run. */
  onRepeat?: 'refuse' | 'existing' | undefined;
  /** The time limit without the waits of its nodes; by default the platform's. */
  timeoutMs?: number | undefined;
  /** The most that all its nodes together may spend. */
  budgetCredits?: number | undefined;
  fundingSource?: FundingSource | undefined;
  byokKeyRefId?: string | undefined;
  concurrencyKey?: string | undefined;
  concurrencyStrategy?: ConcurrencyStrategy | undefined;
  /** The origin of a run that no caller started. */
  cause?: Readonly<Record<string, unknown>> | undefined;
  /** True for a run of something that was set up earlier: it has no more rights than the editor of its version either. */
  isDeferred?: boolean | undefined;
  tags?: readonly string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  parentRunId?: string | undefined;
  /** An earlier run of the workflow, whose finished nodes are reused as far as this version has the same ones. */
  keepFrom?: string | undefined;
  /** With `keepFrom`: a node that runs again, with all after it, although it succeeded. */
  repeatNode?: string | undefined;
  /** True when a node of another run waits for this run. */
  awaited?: boolean | undefined;
  /** The time for which the run waits for its approval (releaseRun); it can start at once when absent. */
  approvalMs?: number | undefined;
}

/** Accepts a workflow run: pins a version and validates the inputs against it. */
export async function acceptWorkflowRun(ctx: Context, order: WorkflowRunOrder): Promise<AcceptedRun> {
  requireScope(ctx, 'workflows:write');
  const { workflowId: targetId, idempotencyKey: key, onRepeat } = order;
  return acceptOnce(ctx, { targetId, key, onRepeat, members: listKeyedMembers(order) }, async (fingerprint) => ({
    run: await prepare(ctx, order, fingerprint),
  }));
}

/** Checks everything that can be checked before anything is written. */
async function prepare(ctx: Context, order: WorkflowRunOrder, fingerprint: string): Promise<NewRun> {
  const { workflowId, version, modelOverride, keepFrom } = order;
  const workflow = await chooseWorkflow(ctx, workflowId, { name: version, stickyHash: toStickyHash(ctx, order) });
  const { repeatNode } = order;
  if (repeatNode !== undefined && !workflow.graph.nodes.some(({ id }) => id === repeatNode)) {
    throw badInput('fromNode', `names no node of the version: ${repeatNode}`);
  }
  const params = await validateInputs(ctx, workflow.graph, order.inputs);
  if (order.fundingSource === 'user_byok_local') {
    throw badInput('fundingSource', 'user_byok_local is for lenses: the platform executes workflows');
  }
  const key = await byokKeyChoice(ctx, order);
  const model =
    modelOverride === undefined
      ? undefined
      : await chooseModel(ctx.db, { ...order, ...restrictModels(key, order), isReplayed: isReplayed(order.cause) });
  if (key && model) decideFunding(ctx, { request: order, key, sponsor: undefined, model, estimate: 0 });
  return {
    id: newId(),
    requestId: ctx.requestId,
    accountId: ctx.actor.accountId,
    kind: 'workflow',
    targetId: workflow.id,
    lensId: null,
    lensVersionId: null,
    workflowVersionId: workflow.versionId,
    parentRunId: order.parentRunId ?? keepFrom ?? null,
    params,
    modelId: model?.id ?? null,
    fundingSource: order.fundingSource ?? null,
    byokKeyId: key?.id ?? null,
    hold: 0,
    budgetCredits: order.budgetCredits ?? null,
    ...toConcurrencyColumns(workflow.id, order),
    ...toReleaseColumns(order, workflow),
    cause: buildCause(order, workflow.graph, await readRunRights(ctx, order, workflow)),
    tags: order.tags ?? [],
    metadata: order.metadata ?? null,
    awaited: order.awaited ?? false,
    ...(order.approvalMs !== undefined && { awaitsApproval: true, queueMs: order.approvalMs }),
    timeoutMs: maxRunMs(workflow.graph, order.timeoutMs ?? getExecutionMs(ctx)),
    traceparent: ctx.traceparent ?? null,
    key: order.idempotencyKey ?? null,
    fingerprint,
    outboxId: newId(),
  };
}

/** Stores the credit limit of the run, which applies to its nodes too, and the scopes that its agents may use. */
function buildCause(
  { cause, keepFrom, repeatNode, isDeferred }: WorkflowRunOrder,
  graph: Graph,
  rights: Rights,
): object | null {
  const { scopes, creditLimit } = rights;
  const hasAgents = allNodes(graph).some(({ node }) => withAgents.includes(node.type));
  const all = {
    ...cause,
    ...(hasAgents && { agentScopes: scopes }),
    ...(isDeferred && { isDeferred }),
    ...(keepFrom !== undefined && { keepFrom }),
    ...(repeatNode !== undefined && { repeatNode }),
    ...(creditLimit && { creditLimit }),
  };
  return Object.keys(all).length > 0 ? all : null;
}

/** The rights of the caller, or those that the cause passes on from a parent; of a deferred run also those of its editor. */
async function readRunRights(
  ctx: Context,
  { cause, isDeferred }: WorkflowRunOrder,
  { versionId }: Pick<RunnableWorkflow, 'versionId'>,
): Promise<Rights> {
  const { accountId } = ctx.actor;
  const { scopes, creditLimit } = toAuthority(ctx.actor);
  const own = { scopes: cause?.['agentScopes'] === undefined ? scopes : getAgentScopes(cause), creditLimit };
  if (!isDeferred) return own;
  const editor = await readEditor(ctx, versionId);
  // Another account's limit is not spent by runs of this account.
  const isOwn = editor.accountId === accountId;
  return intersectRights(own, isOwn ? editor : { ...editor, creditLimit: null });
}

/** The scopes that the agents of a run may use; none when the run names none. */
export const getAgentScopes = (cause: Readonly<Record<string, unknown>> | null): Rights['scopes'] =>
  readRights({ scopes: cause?.['agentScopes'] as Rights['scopes'] }).scopes;

const withAgents: readonly GraphNode['type'][] = ['agent', 'vote', 'workflow', 'lens'];

/** Returns the credit limit of the token that started a run. */
export function getCreditLimit(cause: Readonly<Record<string, unknown>> | null): Pick<Credential, 'creditLimit'> {
  const limit = cause?.['creditLimit'];
  if (!isRecord(limit)) return {};
  const { id, credits, period, of } = limit;
  if (typeof id !== 'string' || typeof credits !== 'number') return {};
  const counter = { id, credits, ...(of === 'agent' && ({ of } as const)) };
  return { creditLimit: { ...counter, period: period === 'month' || period === 'day' ? period : 'total' } };
}

/** The members in which repeated requests must agree. */
function listKeyedMembers(order: WorkflowRunOrder): unknown[] {
  const { inputs, version, modelOverride, budgetCredits, tags, metadata, keepFrom, fundingSource, byokKeyRefId } =
    order;
  const members: unknown[] = [inputs, version, modelOverride, budgetCredits, tags, metadata, keepFrom];
  if (order.repeatNode !== undefined) members.push({ repeatNode: order.repeatNode });
  if (fundingSource ?? byokKeyRefId) members.push({ fundingSource, byokKeyRefId });
  const { concurrencyKey, concurrencyStrategy, stickyKey } = order;
  if (stickyKey !== undefined) members.push({ stickyKey });
  if (concurrencyKey !== undefined) members.push({ concurrencyKey, concurrencyStrategy });
  return members;
}
