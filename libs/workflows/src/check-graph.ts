import { InvalidInput, type Issue, faultInJson, isRecord, parse } from '@lensforge/contracts';
import { ExpressionFault } from './expression-fault.js';
import { readExpression } from './expression.js';
import {
  type Graph,
  type GraphNode,
  type NodeType,
  listComputable,
  listExpressions,
  listOutputMembers,
  listOwnFaults,
  nodeTypeNames,
  nodeTypes,
} from './node-types.js';
import { type GraphNodeShape, GraphShape, RetryPolicy, maxMapDepth, maxNodes } from './graph-shape.js';
import { ancestors, incoming, levels } from './graph.js';
import { faultInInputSchema } from './input-schema.js';
import { type LocatedExpression, isExpressionValue } from './values.js';

export const maxGraphMembers = 50_000;

/** A valid graph with defaults filled in, or its faults. */
export interface CheckedGraph {
  graph?: Graph;
  faults: Issue[];
}

/** Checks a graph in linear time, apart from its input schema; see `readGraph`. */
export function checkGraph(value: unknown): CheckedGraph {
  const fault = faultInJson(value, maxGraphMembers);
  if (fault) return { faults: [{ path: dotted(fault.path), message: fault.message }] };
  return new Check().graph(value, '', 0);
}

/** Checks a graph and the graphs of its maps; `at` is the path prefix, empty or with a dot at its end. */
class Check {
  private nodes = 0;

  graph(value: unknown, at: string, depth: number): CheckedGraph {
    const shape = shaped(GraphShape, value, at.replace(/\.$/, ''));
    if ('faults' in shape) return shape;
    const { nodes: given, edges, inputs, outputs } = shape.value;
    this.nodes += given.length;
    if (this.nodes > maxNodes) {
      return {
        faults: [{ path: `${at}nodes`, message: `has more than ${maxNodes} nodes, including those of its maps` }],
      };
    }
    const faults: Issue[] = [];
    const nodes = given.map((node, index) => this.node(node, `${at}nodes[${index}]`, depth, faults));
    faults.push(...duplicates(given, at), ...edgeFaults(shape.value, at));
    if (inputs !== undefined) {
      const fault = depth > 0 ? 'is allowed only in the outermost graph' : faultInInputSchema(inputs);
      if (fault !== undefined) faults.push({ path: `${at}inputs`, message: fault });
    }
    for (const [name, text] of Object.entries(outputs ?? {})) {
      if (typeof text !== 'string') faults.push({ path: `${at}outputs.${name}`, message: 'must be an expression' });
    }
    const graph: Graph = {
      nodes: nodes.filter((node) => node !== undefined),
      edges,
      ...(inputs && { inputs }),
      ...(outputs && { outputs: outputs as Record<string, string> }),
    };
    if (faults.length > 0) return { faults };
    faults.push(...shapeFaults(graph, at));
    if (faults.length === 0) faults.push(...expressionFaults(graph, at, depth));
    return { graph, faults };
  }

  private node(given: GraphNodeShape, at: string, depth: number, faults: Issue[]): GraphNode | undefined {
    const { type, settings, retry, ...rest } = given;
    if (!isNodeType(type)) {
      faults.push({
        path: `${at}.type`,
        message: `there is no node type ${type}; known are ${nodeTypeNames.join(', ')}`,
      });
      return undefined;
    }
    const policy = retry === undefined ? undefined : shaped(RetryPolicy, retry, `${at}.retry`);
    const { literal, computed } = splitSettings(type, settings);
    const shape = shaped<object>(nodeTypes[type].settings, literal, `${at}.settings`);
    if (policy && 'faults' in policy) faults.push(...policy.faults);
    if ('faults' in shape) {
      faults.push(...shape.faults);
      return undefined;
    }
    const own = { ...shape.value, ...computed };
    const node = { ...rest, type, settings: own, ...(policy && 'value' in policy && { retry: policy.value }) };
    const found = node as GraphNode;
    faults.push(
      ...listOwnFaults(found).map(({ path, message }) => ({ path: joined(`${at}.settings`, path), message })),
    );
    if (found.type === 'map') this.checkMap(found.settings, at, depth, faults);
    return found;
  }

  private checkMap(settings: { graph: Graph }, at: string, depth: number, faults: Issue[]): void {
    if (depth >= maxMapDepth) {
      faults.push({ path: `${at}.settings.graph`, message: `maps may be nested at most ${maxMapDepth} levels deep` });
      return;
    }
    const inner = this.graph(settings.graph, `${at}.settings.graph.`, depth + 1);
    faults.push(...inner.faults);
    if (inner.graph) settings.graph = inner.graph;
  }
}

const isNodeType = (type: string): type is NodeType => Object.hasOwn(nodeTypes, type);

/** The settings that are expressions, and the others. */
function splitSettings(type: NodeType, settings: unknown): { literal: unknown; computed: object } {
  if (!isRecord(settings)) return { literal: settings, computed: {} };
  const names = listComputable(type).filter((name) => isExpressionValue(settings[name]));
  const pick = (wanted: boolean): object =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name) === wanted));
  return { literal: pick(false), computed: pick(true) };
}

function shaped<T extends object>(shape: new () => T, value: unknown, at: string): { value: T } | { faults: Issue[] } {
  if (!isRecord(value)) return { faults: [{ path: at, message: 'must be an object' }] };
  try {
    return { value: parse(shape, value, { skipJsonRules: true }) };
  } catch (reason) {
    if (!(reason instanceof InvalidInput)) throw reason;
    return { faults: reason.issues.map(({ path, message }) => ({ path: joined(at, dotted(path)), message })) };
  }
}

/** `nodes.3.id` as `nodes[3].id`. */
const dotted = (path: string): string => path.replace(/\.(\d+)(?=\.|$)/g, '[$1]');
const joined = (at: string, path: string): string => (at && path ? `${at}.${path}` : at || path);

function duplicates(nodes: readonly { id: string }[], at: string): Issue[] {
  const seen = new Set<string>();
  return nodes.flatMap(({ id }, index) => {
    if (seen.has(id))
      return [{ path: `${at}nodes[${index}].id`, message: `${id} is the id of a node before this one` }];
    seen.add(id);
    return [];
  });
}

function edgeFaults({ nodes, edges }: GraphShape, at: string): Issue[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const seen = new Set<string>();
  return edges.flatMap((edge, index) => {
    const path = `${at}edges[${index}]`;
    const name = JSON.stringify([edge.from, edge.to, edge.input, edge.output, edge.when]);
    if (seen.has(name)) return [{ path, message: 'is a duplicate of an edge before it' }];
    seen.add(name);
    if (edge.output !== undefined && edge.input === undefined) {
      return [{ path: `${path}.output`, message: 'needs an input: the name under which the node gets it' }];
    }
    return (['from', 'to'] as const)
      .filter((end) => !ids.has(edge[end]))
      .map((end) => ({ path: `${path}.${end}`, message: `there is no node ${edge[end]}` }));
  });
}

/** Cycles and unreachable nodes. */
function shapeFaults(graph: Graph, at: string): Issue[] {
  const ordered = new Set(levels(graph).flat());
  const [first] = graph.nodes.filter(({ id }) => !ordered.has(id));
  if (first) {
    const cycle = cycleIn(graph, ordered, first.id);
    const index = graph.edges.findIndex(({ from, to }) => from === cycle.at(-2) && to === cycle.at(-1));
    return [{ path: `${at}edges[${index}]`, message: `closes a cycle: ${cycle.join(' → ')}` }];
  }
  const incomingEdges = incoming(graph);
  const unreachable = new Set<string>();
  for (const id of ordered) {
    const edges = incomingEdges.get(id) ?? [];
    if (edges.length > 0 && edges.every(({ from, when }) => unreachable.has(from) || when?.trim() === 'false'))
      unreachable.add(id);
  }
  return graph.nodes.flatMap(({ id }, index) =>
    unreachable.has(id)
      ? [{ path: `${at}nodes[${index}]`, message: `${id} cannot be reached: no edge to it can be taken` }]
      : [],
  );
}

/** A cycle among the nodes without a level. */
function cycleIn(graph: Graph, ordered: ReadonlySet<string>, start: string): string[] {
  const incomingEdges = incoming(graph);
  const cycle = [start];
  for (;;) {
    const before = incomingEdges.get(cycle[0] ?? '')?.find(({ from }) => !ordered.has(from))?.from ?? start;
    const again = cycle.indexOf(before);
    cycle.unshift(before);
    if (again >= 0) return cycle.slice(0, again + 2);
  }
}

function expressionFaults(graph: Graph, at: string, depth: number): Issue[] {
  const before = ancestors(graph);
  const types = new Map(graph.nodes.map(({ id, type }) => [id, type]));
  const faults: Issue[] = [];
  const check = ({ path, text }: LocatedExpression, known: ReadonlySet<string>): void => {
    const message = expressionFault(text, { known, types, depth });
    if (message !== undefined) faults.push({ path: `${at}${path}`, message });
  };
  graph.nodes.forEach((node, index) => {
    const known = before.get(node.id) ?? new Set<string>();
    for (const { path, text } of listExpressions(node)) {
      check({ path: `nodes[${index}].settings.${path}`, text }, known);
    }
  });
  graph.edges.forEach(({ from, when }, index) => {
    if (when === undefined) return;
    check({ path: `edges[${index}].when`, text: when }, new Set([from, ...(before.get(from) ?? [])]));
  });
  const all = new Set(types.keys());
  for (const [name, text] of Object.entries(graph.outputs ?? {})) check({ path: `outputs.${name}`, text }, all);
  return faults;
}

function expressionFault(
  text: string,
  { known, types, depth }: { known: ReadonlySet<string>; types: ReadonlyMap<string, NodeType>; depth: number },
): string | undefined {
  try {
    const { nodes, usesItem, paths } = readExpression(text);
    if (usesItem && depth === 0) return 'item and index exist only in the graph of a map';
    const unknownNode = nodes.find((id) => !known.has(id));
    if (unknownNode === undefined) return memberFault(paths, types);
    return types.has(unknownNode)
      ? `refers to the node ${unknownNode}, which does not run before it`
      : `refers to the node ${unknownNode}, which is not in this graph`;
  } catch (reason) {
    if (reason instanceof ExpressionFault) return reason.message;
    throw reason;
  }
}

const membersOfNodes = ['output', 'status', 'error'];

/** Says which member of a node or of its output does not exist. */
function memberFault(paths: readonly (readonly string[])[], types: ReadonlyMap<string, NodeType>): string | undefined {
  for (const [root, id = '', member, ofOutput] of paths) {
    const type = types.get(id);
    if (root !== 'nodes' || type === undefined || member === undefined) continue;
    if (!membersOfNodes.includes(member)) return `${id} has no ${member}; a node has ${membersOfNodes.join(', ')}`;
    const members = member === 'output' ? listOutputMembers(type) : undefined;
    if (members && ofOutput !== undefined && !members.includes(ofOutput)) {
      return `the output of ${id} has no ${ofOutput}; that of a ${type} has ${members.join(', ')}`;
    }
  }
  return undefined;
}
