import type { ExpressionReply } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { TimeBudget, sandboxRefusal } from '@lensforge/sandbox';
import {
  ExpressionFault,
  type Graph,
  type NodeInScope,
  type Scope,
  computeExpressions,
  edgeInputs,
  graphOfVersion,
  incoming,
  readableWorkflow,
  referencedNodes,
} from '@lensforge/workflows';
import { readableRun } from '../access.js';
import { type NodeValues, readNodeValues } from '../nodes/run-snapshots.js';

export interface ExpressionInput {
  workflowId: string;
  runId: string;
  expression: string;
  /** The node whose incoming edges give `input`. */
  nodeId?: string | undefined;
}

/** The time limit of the sandbox, and the size of the values that an expression may refer to: those of a node. */
const maxMs = 1000;
const maxValueBytes = 4_194_304;

/** Evaluates an expression with the inputs and the results so far of a run; a fault of the expression is a result. */
export async function evaluateExpression(ctx: Context, input: ExpressionInput): Promise<ExpressionReply> {
  const { runId, expression } = input;
  await readableWorkflow(ctx, input.workflowId);
  await readableRun(ctx, runId);
  const [run] = await ctx.db.query<{ inputs: Record<string, unknown>; versionId: string }[]>(
    `select params as inputs, workflow_version_id as "versionId" from runs where id = $1 and workflow_id = $2 limit 1`,
    [runId, input.workflowId],
  );
  if (!run) throw badInput('runId', `${runId} is a run of another workflow`);
  const graph = await graphOfVersion(ctx, run.versionId);
  try {
    const scope = await readScope(ctx, graph, { ...input, inputs: run.inputs });
    const limits = { account: ctx.actor.accountId, budget: new TimeBudget(maxMs) };
    const [outcome] = await computeExpressions([{ text: expression, scope }], limits).catch((reason: unknown) => {
      throw sandboxRefusal(reason, 'This expression');
    });
    return outcome && 'value' in outcome
      ? { value: outcome.value, fault: null }
      : { value: null, fault: outcome?.fault ?? null };
  } catch (reason) {
    if (!(reason instanceof ExpressionFault)) throw reason;
    return { value: null, fault: { code: reason.code, message: reason.message } };
  }
}

/** The run, its inputs, the nodes that the expression names, and the values of the edges to a node. */
async function readScope(
  ctx: Context,
  graph: Graph,
  { runId, inputs, expression, nodeId }: ExpressionInput & { inputs: Record<string, unknown> },
): Promise<Scope> {
  const ids = graph.nodes.map(({ id }) => id);
  const edges = nodeId === undefined ? [] : (incoming(graph).get(nodeId) ?? []);
  const named = new Set([...referencedNodes([expression], ids), ...edges.map(({ from }) => from)]);
  const values = await readNodeValues(ctx, runId, [...named], maxValueBytes);
  if (values.some(({ tooLarge }) => tooLarge))
    throw new ExpressionFault('too_large', `refers to values of more than ${maxValueBytes} bytes`);
  const nodes = Object.fromEntries(values.map((node) => [node.key, inScope(node)]));
  return { inputs, nodes, run: { id: runId }, input: edgeInputs(edges, (id) => nodes[id]?.output ?? null) };
}

const inScope = ({ output, status, error }: NodeValues): NodeInScope => ({ output: output ?? null, status, error });
