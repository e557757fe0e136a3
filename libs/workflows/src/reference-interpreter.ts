import { type NodeInScope, type Scope, evaluate, evaluateCondition } from './expression.js';
import type { Graph, GraphNode } from './node-types.js';
import { incoming, levels, outgoing } from './graph.js';
import { computeOutputs } from './compute-outputs.js';

export type ReferenceStatus = 'succeeded' | 'failed' | 'skipped';

export interface Reference {
  status: 'succeeded' | 'failed';
  outputs: Record<string, unknown> | undefined;
  /** Nodes by key. `certain` is false when another failure may cancel the node or prevent its start. */
  nodes: Map<string, { status: ReferenceStatus; certain: boolean }>;
}

/** The response to an http node. */
export type AnswerOf = (node: GraphNode, key: string) => { output: unknown } | 'fails';

/** Executes a workflow sequentially by its rules; every real execution must give the same result. */
export function interpret(graph: Graph, inputs: Record<string, unknown>, answerOf: AnswerOf): Reference {
  const nodes: Reference['nodes'] = new Map();
  const { failed, outputs } = walk(graph, { inputs }, { prefix: '', results: nodes, answerOf });
  if (failed) for (const node of nodes.values()) node.certain = false;
  return { status: failed ? 'failed' : 'succeeded', outputs, nodes };
}

interface Walk {
  /** The part of node keys before the id of a node. */
  prefix: string;
  /** The results by node key, to which this walk adds its own. */
  results: Reference['nodes'];
  answerOf: AnswerOf;
}

function walk(
  graph: Graph,
  scope: Scope,
  { prefix, results, answerOf }: Walk,
): { failed: boolean; outputs: Record<string, unknown> | undefined } {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const incomingEdges = incoming(graph);
  const outgoingEdges = outgoing(graph);
  const takenEdges = new Set<unknown>();
  const unreached = new Set<string>();
  const known: Record<string, NodeInScope> = {};
  let failed = false;
  for (const id of levels(graph).flat()) {
    const edges = incomingEdges.get(id) ?? [];
    const node = byId.get(id) as GraphNode;
    if (edges.some(({ from }) => unreached.has(from))) {
      unreached.add(id);
      continue;
    }
    if (edges.length > 0 && !edges.some((edge) => takenEdges.has(edge))) {
      results.set(prefix + id, { status: 'skipped', certain: true });
      known[id] = { output: null, status: 'skipped', error: null };
      continue;
    }
    const output = computeOutput(node, { ...scope, nodes: known }, { prefix: prefix + id, results, answerOf });
    const status = output === undefined ? 'failed' : 'succeeded';
    results.set(prefix + id, { status, certain: true });
    if (status === 'failed' && node.onError === 'fail') {
      failed = true;
      unreached.add(id);
      continue;
    }
    known[id] = { output: output?.value ?? null, status, error: output ? null : { code: 'X', message: 'X' } };
    for (const edge of outgoingEdges.get(id) ?? []) {
      if (edge.when === undefined || evaluateCondition(edge.when, { ...scope, nodes: known })) takenEdges.add(edge);
    }
  }
  return { failed, outputs: failed ? undefined : computeOutputs(graph, { ...scope, nodes: known }) };
}

function computeOutput(node: GraphNode, scope: Scope, own: Walk): { value: unknown } | undefined {
  if (node.type === 'transform') return attempt(() => evaluate(node.settings.expression, scope));
  if (node.type === 'map') return eachItem(node, scope, own);
  const answer = own.answerOf(node, own.prefix);
  return answer === 'fails' ? undefined : { value: answer.output };
}

function attempt(work: () => unknown): { value: unknown } | undefined {
  try {
    return { value: work() };
  } catch {
    return undefined;
  }
}

function eachItem(
  { settings }: Extract<GraphNode, { type: 'map' }>,
  scope: Scope,
  { prefix: key, results, answerOf }: Walk,
): { value: unknown } | undefined {
  const list = evaluate(settings.items, scope) as unknown[];
  const itemResults = new Map<string, { status: ReferenceStatus; certain: boolean }>();
  const outputsOfItems = list.map((item, index) => {
    const inner: typeof itemResults = new Map();
    const { inputs } = scope;
    const { failed, outputs } = walk(
      settings.graph,
      { inputs, item, index },
      { prefix: `${key}[${index}].`, results: inner, answerOf },
    );
    for (const [name, node] of inner) itemResults.set(name, { ...node, certain: node.certain && !failed });
    return failed ? undefined : outputs;
  });
  const fails = settings.onItemError === 'fail' && outputsOfItems.includes(undefined);
  for (const [name, node] of itemResults) results.set(name, { ...node, certain: node.certain && !fails });
  return fails ? undefined : { value: outputsOfItems.map((result) => result ?? null) };
}

/** The differences of an execution from the reference; empty when it is correct. */
export function differences(
  { status, outputs, nodes }: Reference,
  actual: { status: string; outputs: unknown; nodes: Readonly<Record<string, string>> },
): string[] {
  const found: string[] = [];
  if (actual.status !== status) found.push(`the run is ${actual.status} and should be ${status}`);
  if (outputs && JSON.stringify(sorted(outputs)) !== JSON.stringify(sorted(actual.outputs))) {
    found.push(`the outputs are ${JSON.stringify(actual.outputs)} and should be ${JSON.stringify(outputs)}`);
  }
  for (const [key, { status: should, certain }] of nodes) {
    const is = actual.nodes[key];
    if (is === should || (!certain && (is === undefined || is === 'canceled'))) continue;
    found.push(`${key} is ${is ?? 'not there'} and should be ${should}`);
  }
  for (const key of Object.keys(actual.nodes)) if (!nodes.has(key)) found.push(`${key} should not be there`);
  return found;
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
