import { workflowsTexts } from '../view-texts/workflows';
import { isPlainName, nodeReferences, renameInExpression } from './expression-references';
import type { Graph, GraphNode } from './graph';
import { nodeFields, toSettings } from './node-fields';

type Change = (expression: string) => string;

/** Changes every expression of a node. The graph of a map has nodes of its own, so it stays as it is. */
function changeSettings({ type, settings }: GraphNode, change: Change): unknown {
  if (settings === undefined) return settings;
  const whole = new Set<string>(
    (nodeFields[type] ?? []).flatMap(({ name, expression }) => (expression === 'always' ? [name] : [])),
  );
  const entries = Object.entries(toSettings(settings)).map(([name, value]) => {
    if (type === 'map' && name === 'graph') return [name, value];
    return [name, whole.has(name) && typeof value === 'string' ? change(value) : changeValue(value, change)];
  });
  return Object.fromEntries(entries) as unknown;
}

/** Changes each `{"$": "…"}` in a value, at any depth. */
function changeValue(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((each) => changeValue(each, change));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, each]: [string, unknown]) => [
      name,
      name === '$' && entries.length === 1 && typeof each === 'string' ? change(each) : changeValue(each, change),
    ]),
  );
}

/** Changes every expression of a graph: those of its nodes, the conditions of its edges, and its outputs. */
function changeExpressions(graph: Graph, change: Change): Graph {
  const { outputs } = graph;
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({
      ...node,
      ...('settings' in node && { settings: changeSettings(node, change) }),
    })),
    edges: graph.edges.map((edge) => (edge.when === undefined ? edge : { ...edge, when: change(edge.when) })),
    ...(typeof outputs === 'object' &&
      outputs !== null && {
        outputs: Object.fromEntries(
          Object.entries(outputs).map(([name, text]: [string, unknown]) => [
            name,
            typeof text === 'string' ? change(text) : text,
          ]),
        ),
      }),
  };
}

/** Gives a node another id; its edges and the expressions that refer to it follow. */
export function renameNode(graph: Graph, from: string, to: string): Graph {
  const renamed = (id: string): string => (id === from ? to : id);
  const after = changeExpressions(graph, (expression) => renameInExpression(expression, from, to));
  return {
    ...after,
    nodes: after.nodes.map((node) => ({ ...node, id: renamed(node.id) })),
    edges: after.edges.map((edge) => ({ ...edge, from: renamed(edge.from), to: renamed(edge.to) })),
  };
}

const idPattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** The reason why a node cannot have an id; undefined if it can. */
export function idFault(graph: Graph, from: string, to: string): string | undefined {
  if (to === from) return undefined;
  if (!idPattern.test(to)) return workflowsTexts.idFaults.form;
  if (graph.nodes.some(({ id }) => id === to)) return workflowsTexts.idFaults.taken(to);
  return !isPlainName(to) && isNamedInHas(graph, from) ? workflowsTexts.idFaults.has(from) : undefined;
}

function isNamedInHas(graph: Graph, wanted: string): boolean {
  let isNamed = false;
  changeExpressions(graph, (expression) => {
    isNamed ||= nodeReferences(expression).some(({ id, isInHas, isLiteral }) => id === wanted && isInHas && !isLiteral);
    return expression;
  });
  return isNamed;
}
