import type { Context } from '@lensforge/core';
import { resolveTemplate } from '@lensforge/lenses';
import type { Graph, GraphEdge, GraphNode, NodeInScope, Scope } from '@lensforge/workflows';
import {
  ExpressionFault,
  acceptInputs,
  broughtTo,
  deepestWorkflow,
  evaluate,
  evaluateCondition,
  incoming,
  levels,
  readExpression,
  resolveValue,
  runnableWorkflow,
} from '@lensforge/workflows';
import { lensShelf } from './lens-shelf.js';
import type { Model } from './model.entity.js';
import { chooseModel, estimateCost } from './models.js';

export interface DryRunOrder {
  workflowId: string;
  version?: string | undefined;
  inputs: Record<string, unknown>;
  modelOverride?: string | undefined;
}

export type DryRunVerdict = 'runs' | 'skipped' | 'depends';

export interface DryRunNode {
  id: string;
  type: GraphNode['type'];
  level: number;
  verdict: DryRunVerdict;
  /** For a map whose items are known. */
  times: number | null;
  estimatedCredits: number;
}

export interface DryRun {
  workflowId: string;
  version: { id: string; number: number };
  levels: string[][];
  nodes: DryRunNode[];
  estimatedCredits: number;
}

/** What a run with these inputs would do, as far as can be said without one, and what it may cost at most. */
export async function dryRunWorkflow(ctx: Context, order: DryRunOrder): Promise<DryRun> {
  const { id, versionId, number, graph } = await runnableWorkflow(ctx, order.workflowId, order.version);
  const inputs = acceptInputs({ versionId, graph }, order.inputs);
  const { modelOverride } = order;
  const global = modelOverride === undefined ? undefined : await chooseModel(ctx.db, { modelOverride });
  const nodes = await foresee({ ctx, global, depth: 0 }, graph, { inputs });
  return {
    workflowId: id,
    version: { id: versionId, number },
    levels: levels(graph),
    nodes,
    estimatedCredits: totalOf(nodes),
  };
}

const totalOf = (nodes: readonly DryRunNode[]): number =>
  nodes.reduce((sum, { estimatedCredits }) => sum + estimatedCredits, 0);

/** What is known of a node: how it ends and, for those that compute only, what it comes to. */
interface Known {
  verdict: DryRunVerdict;
  output?: { value: unknown };
}

interface Looking {
  ctx: Context;
  /** The model of all nodes, where there is one. */
  global: Model | undefined;
  /** Of workflows within each other. */
  depth: number;
}

async function foresee(looking: Looking, graph: Graph, outer: Scope): Promise<DryRunNode[]> {
  const coming = incoming(graph);
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const known = new Map<string, Known>();
  const found: DryRunNode[] = [];
  for (const [level, ids] of levels(graph).entries()) {
    for (const id of ids) {
      const node = byId.get(id);
      if (!node) continue;
      const edges = coming.get(id) ?? [];
      const taken = edges.map((edge) => isTaken(edge, known, outer));
      const verdict = verdictOf(taken);
      const scope = scopeOf(
        edges.filter((_, index) => taken[index] !== false),
        known,
        outer,
      );
      const {
        output,
        times = null,
        credits,
      } = verdict === 'skipped' ? { output: { value: null }, credits: 0 } : await look(looking, node, scope);
      known.set(id, { verdict, ...(output && verdict !== 'depends' && { output }) });
      found.push({ id, type: node.type, level, verdict, times, estimatedCredits: credits });
    }
  }
  return found;
}

function verdictOf(taken: readonly (boolean | undefined)[]): DryRunVerdict {
  if (taken.length === 0 || taken.includes(true)) return 'runs';
  return taken.includes(undefined) ? 'depends' : 'skipped';
}

/** Whether an edge would be taken; undefined where that depends on what is not known. */
function isTaken({ from, when }: GraphEdge, known: ReadonlyMap<string, Known>, outer: Scope): boolean | undefined {
  const verdict = known.get(from)?.verdict;
  if (verdict === 'skipped') return false;
  if (when === undefined) return verdict === 'runs' ? true : undefined;
  const scope = scopeOf([], known, outer);
  const isHeld = attempt(when, scope, (text) => evaluateCondition(text, scope));
  if (isHeld === undefined) return undefined;
  return isHeld.value && verdict === 'depends' ? undefined : isHeld.value;
}

/** A value that depends on nothing unknown. */
function attempt<T>(text: string, scope: Scope, read: (text: string) => T): { value: T } | undefined {
  if (readExpression(text).nodes.some((id) => !Object.hasOwn(scope.nodes ?? {}, id))) return undefined;
  try {
    return { value: read(text) };
  } catch (reason) {
    if (reason instanceof ExpressionFault) return undefined;
    throw reason;
  }
}

function scopeOf(edges: readonly GraphEdge[], known: ReadonlyMap<string, Known>, outer: Scope): Scope {
  const nodes = Object.fromEntries(
    [...known].flatMap(([id, { verdict, output }]): [string, NodeInScope][] =>
      output
        ? [[id, { output: output.value, status: verdict === 'skipped' ? 'skipped' : 'succeeded', error: null }]]
        : [],
    ),
  );
  const told = edges.filter(({ from }) => Object.hasOwn(nodes, from));
  return { ...outer, nodes, input: broughtTo(told, (id) => nodes[id]?.output) };
}

interface Looked {
  output?: { value: unknown };
  times?: number | null;
  credits: number;
}

async function look(looking: Looking, node: GraphNode, scope: Scope): Promise<Looked> {
  if (node.type === 'transform') {
    const { expression } = node.settings;
    const output = attempt(expression, scope, (text) => evaluate(text, scope));
    return { credits: 0, ...(output && { output }) };
  }
  if (node.type === 'lens') return { credits: await costOfLens(looking, node, scope) };
  if (node.type === 'workflow') return { credits: await costOfWorkflow(looking, node, scope) };
  if (node.type === 'map') {
    const items = attempt(node.settings.items, scope, (text) => evaluate(text, scope))?.value;
    const inner = await foresee(looking, node.settings.graph, { ...scope, nodes: {}, input: {} });
    const times = Array.isArray(items) ? items.length : null;
    return { times, credits: totalOf(inner) * (times ?? 1) };
  }
  return { credits: 0 };
}

/** One that calls itself is followed as far as it may go. */
async function costOfWorkflow(
  looking: Looking,
  { settings }: Extract<GraphNode, { type: 'workflow' }>,
  scope: Scope,
): Promise<number> {
  const depth = looking.depth + 1;
  if (depth >= deepestWorkflow) return 0;
  const { graph } = await runnableWorkflow(looking.ctx, settings.workflowId, settings.version);
  const inputs = { ...paramsKnown(settings.inputs, scope), ...scope.input };
  return totalOf(await foresee({ ...looking, depth }, graph, { inputs }));
}

/** With the values that are known; an unknown one counts for nothing. */
async function costOfLens(
  { ctx, global }: Looking,
  { settings }: Extract<GraphNode, { type: 'lens' }>,
  scope: Scope,
): Promise<number> {
  const { templateBody } = await lensShelf.find(ctx, settings.lensId, settings.version);
  const wish = settings.model === undefined ? {} : { modelOverride: settings.model };
  const model = global ?? (await chooseModel(ctx.db, wish));
  const resolved = resolveTemplate(templateBody, { ...paramsKnown(settings.params, scope), ...scope.input });
  return estimateCost(model, 'prompt' in resolved ? resolved.prompt : templateBody);
}

const paramsKnown = (params: Record<string, unknown>, scope: Scope): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      try {
        return [[name, resolveValue(value, scope)] as const];
      } catch (reason) {
        if (reason instanceof ExpressionFault) return [];
        throw reason;
      }
    }),
  );
