import { type Issue, didYouMean } from '@lensforge/contracts';
import { type Context, DomainError, badInputs } from '@lensforge/core';
import { getLensText, missingParams, unknownParams } from '@lensforge/lenses';
import { readableWorkflow } from './access.js';
import { type Graph, type GraphNode, getLiteral } from './node-types.js';
import { allNodes, incoming } from './graph.js';
import { type ExpressionValue, isExpressionValue } from './values.js';
import { readVersion } from './version-reads.js';

export const maxWorkflowDepth = 8;

/** Refuses a graph that names lenses or workflows which the caller cannot reach, or that lacks required parameters. */
export async function checkReferences(ctx: Context, graph: Graph): Promise<void> {
  const faults: Issue[] = [];
  for (const { graph: part, at } of graphsIn(graph)) {
    const incomingEdges = incoming(part);
    for (const [index, node] of part.nodes.entries()) {
      const path = `${at}nodes[${index}].settings`;
      const edgeInputs = (incomingEdges.get(node.id) ?? []).flatMap(({ input }) =>
        input === undefined ? [] : [input],
      );
      faults.push(...(await findFaults(ctx, node, { path, edgeInputs })));
    }
  }
  if (faults.length === 0) return;
  throw badInputs(faults.slice(0, 20));
}

/** A graph and the graphs of its maps. */
function graphsIn(graph: Graph): { graph: Graph; at: string }[] {
  const inner = allNodes(graph).flatMap(({ path, node }) =>
    node.type === 'map' ? [{ graph: node.settings.graph, at: `${path}.settings.graph.` }] : [],
  );
  return [{ graph, at: '' }, ...inner];
}

interface NodeContext {
  path: string;
  edgeInputs: readonly string[];
}

async function findFaults(ctx: Context, node: GraphNode, { path, edgeInputs }: NodeContext): Promise<Issue[]> {
  if (node.type === 'lens') {
    const { lensId, version, params } = node.settings;
    const lens = await unlessNotFound(() => getLensText(ctx, { lensId, version: getLiteral(version) }));
    if (typeof lens === 'string') return [{ path: `${path}.lensId`, message: lens }];
    const missing = missingParams(lens.params, [...Object.keys(params), ...edgeInputs]);
    const labels = lens.params.map(({ label }) => label);
    // Another version may have other parameters.
    const unknown = isExpressionValue(version) ? [] : unknownParams(lens.params, Object.keys(params));
    return [
      ...(missing.length > 0
        ? [{ path: `${path}.params`, message: `the lens also requires ${missing.join(', ')}` }]
        : []),
      ...unknown.map((name) => ({
        path: `${path}.params.${name}`,
        message: `the lens has no parameter ${name}${didYouMean(name, labels)}`,
      })),
    ];
  }
  if (node.type === 'workflow') {
    const depth = await unlessNotFound(() => measureDepth(ctx, node.settings, 1));
    if (typeof depth === 'string') return [{ path: `${path}.workflowId`, message: depth }];
    return depth < maxWorkflowDepth
      ? []
      : [
          {
            path: `${path}.workflowId`,
            message: `workflows may call each other at most ${maxWorkflowDepth} levels deep`,
          },
        ];
  }
  return [];
}

async function unlessNotFound<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (reason) {
    if (reason instanceof DomainError && reason.code === 'NOT_FOUND') return reason.message;
    throw reason;
  }
}

interface WorkflowRef {
  workflowId: string;
  version?: number | string | ExpressionValue | undefined;
}

/** The nesting depth of workflows from here, at most one more than allowed; a recursive call counts once. */
async function measureDepth(
  ctx: Context,
  { workflowId, version }: WorkflowRef,
  depth: number,
  seen: string[] = [],
): Promise<number> {
  const workflow = await readableWorkflow(ctx, workflowId);
  if (seen.includes(workflow.id) || depth >= maxWorkflowDepth) return depth;
  const { graph } = await readVersion(ctx.db, workflow, getLiteral(version));
  let deepest = depth;
  for (const { node } of allNodes(graph)) {
    if (node.type !== 'workflow' || seen.includes(node.settings.workflowId)) continue;
    const inner = await unlessNotFound(() => measureDepth(ctx, node.settings, depth + 1, [...seen, workflow.id]));
    if (typeof inner === 'number') deepest = Math.max(deepest, inner);
  }
  return deepest;
}
