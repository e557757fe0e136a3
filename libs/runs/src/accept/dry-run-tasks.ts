import type { ErrorCode, LensSettings } from '@lensforge/contracts';
import { type LensInclude, ParsedTemplate, leavesModelOpen, resolveTemplate, textOf } from '@lensforge/lenses';
import {
  type AgentLimits,
  ExpressionFault,
  type Graph,
  type GraphEdge,
  type GraphNode,
  type NodeInScope,
  type Scope,
  edgeInputs,
  getLiteral,
  incoming,
  levels,
  maxWorkflowDepth,
  resolveValue,
} from '@lensforge/workflows';
import { evaluate, evaluateCondition, readExpression } from '@lensforge/workflows/sandboxed';
import { type Priced, estimateCost, roughTokens } from '@lensforge/models';

// Tasks of dry runs that execute in the sandbox.

export type DryRunVerdict = 'runs' | 'skipped' | 'depends';

export interface DryRunNode {
  id: string;
  type: GraphNode['type'];
  level: number;
  verdict: DryRunVerdict;
  /** The number of items of a map; null if unknown or no map. */
  times: number | null;
  estimatedCredits: number;
}

/** A lens, workflow or model that a graph names, or the error of reading it. */
export type Found<T> = T | { refusal: Refusal };

/** A DomainError as plain data. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  details?: Readonly<Record<string, unknown>> | undefined;
}

/** The part of a version of a lens that decides about its cost. */
export interface LensPart {
  templateBody: string;
  includes: LensInclude[] | null;
  settings: Pick<LensSettings, 'models' | 'sampling' | 'params' | 'examples' | 'mayOverride'> | null;
}

/** Everything that the graphs of a dry run name, by `toPartName`. */
export interface DryRunParts {
  lenses: Record<string, Found<LensPart>>;
  workflows: Record<string, Found<{ graph: Graph }>>;
  /** By `modelOfLens` or `modelOfNode`. */
  models: Record<string, Found<Priced & { alternatives?: readonly Priced[] }>>;
}

export interface DryRunInput extends DryRunParts {
  graph: Graph;
  inputs: Record<string, unknown>;
  /** The model of all nodes, if the caller names one. */
  model: Priced | null;
}

export const toPartName = (id: string, version: string | number | undefined): string => `${id}@${version ?? ''}`;

function dryRun({ graph, inputs, ...parts }: DryRunInput): { nodes: DryRunNode[] } | { refusal: Refusal } {
  try {
    return { nodes: forecastGraph({ ...parts, depth: 0 }, graph, { inputs }) };
  } catch (reason) {
    if (reason instanceof Refused) return { refusal: reason.refusal };
    throw reason;
  }
}

export const dryRunTasks = { dryRun };
export const tasks = dryRunTasks;

class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

function reachable<T extends object>(found: Found<T> | undefined): T {
  if (!found) throw new Error('the dry run has not read a lens, workflow or model that the graph names');
  if ('refusal' in found) throw new Refused(found.refusal);
  return found;
}

/** The forecast of a node: its verdict and, if it can be computed, its output. */
interface KnownNode {
  verdict: DryRunVerdict;
  output?: { value: unknown };
}

interface Parts extends DryRunParts {
  model: Priced | null;
  /** Nesting depth of workflows. */
  depth: number;
}

export const sumEstimates = (nodes: readonly DryRunNode[]): number =>
  nodes.reduce((sum, { estimatedCredits }) => sum + estimatedCredits, 0);

function forecastGraph(parts: Parts, graph: Graph, outer: Scope): DryRunNode[] {
  const coming = incoming(graph);
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const known = new Map<string, KnownNode>();
  const found: DryRunNode[] = [];
  for (const [level, ids] of levels(graph).entries()) {
    for (const id of ids) {
      const node = byId.get(id);
      if (!node) continue;
      const edges = coming.get(id) ?? [];
      const taken = edges.map((edge) => isTaken(edge, known, outer));
      const verdict = toVerdict(taken);
      const scope = buildScope(
        edges.filter((_, index) => taken[index] !== false),
        known,
        outer,
      );
      const {
        output,
        times = null,
        credits,
      } = verdict === 'skipped' ? { output: { value: null }, credits: 0 } : forecastNode(parts, node, scope);
      known.set(id, { verdict, ...(output && verdict !== 'depends' && { output }) });
      found.push({ id, type: node.type, level, verdict, times, estimatedCredits: credits });
    }
  }
  return found;
}

function toVerdict(taken: readonly (boolean | undefined)[]): DryRunVerdict {
  if (taken.length === 0 || taken.includes(true)) return 'runs';
  return taken.includes(undefined) ? 'depends' : 'skipped';
}

/** Returns whether an edge would be taken; undefined if that depends on unknown values. */
function isTaken({ from, when }: GraphEdge, known: ReadonlyMap<string, KnownNode>, outer: Scope): boolean | undefined {
  const verdict = known.get(from)?.verdict;
  if (verdict === 'skipped') return false;
  if (when === undefined) return verdict === 'runs' ? true : undefined;
  const scope = buildScope([], known, outer);
  const condition = evaluateIfKnown(when, scope, (text) => evaluateCondition(text, scope));
  if (condition === undefined) return undefined;
  return condition.value && verdict === 'depends' ? undefined : condition.value;
}

/** Evaluates an expression; undefined if it depends on unknown nodes or fails. */
function evaluateIfKnown<T>(text: string, scope: Scope, read: (text: string) => T): { value: T } | undefined {
  if (readExpression(text).nodes.some((id) => !Object.hasOwn(scope.nodes ?? {}, id))) return undefined;
  return undefinedOnFault(() => read(text));
}

function undefinedOnFault<T>(work: () => T): { value: T } | undefined {
  try {
    return { value: work() };
  } catch (reason) {
    if (reason instanceof ExpressionFault) return undefined;
    throw reason;
  }
}

function buildScope(edges: readonly GraphEdge[], known: ReadonlyMap<string, KnownNode>, outer: Scope): Scope {
  const nodes = Object.fromEntries(
    [...known].flatMap(([id, { verdict, output }]): [string, NodeInScope][] =>
      output
        ? [[id, { output: output.value, status: verdict === 'skipped' ? 'skipped' : 'succeeded', error: null }]]
        : [],
    ),
  );
  const knownEdges = edges.filter(({ from }) => Object.hasOwn(nodes, from));
  return { ...outer, nodes, input: edgeInputs(knownEdges, (id) => nodes[id]?.output) };
}

interface NodeForecast {
  output?: { value: unknown };
  times?: number | null;
  credits: number;
}

function forecastNode(parts: Parts, node: GraphNode, scope: Scope): NodeForecast {
  switch (node.type) {
    case 'transform': {
      const { expression } = node.settings;
      const output = evaluateIfKnown(expression, scope, (text) => evaluate(text, scope));
      return { credits: 0, ...(output && { output }) };
    }
    case 'lens':
      return { credits: costOfLens(parts, node, scope) };
    case 'workflow':
      return { credits: costOfWorkflow(parts, node, scope) };
    case 'agent':
      return { credits: costOfAgents(parts, node.settings, [modelOfNode(node.settings)], scope) };
    case 'vote':
      return { credits: costOfAgents(parts, node.settings, node.settings.agents.map(agentModel), scope) };
    case 'map': {
      const items = evaluateIfKnown(node.settings.items, scope, (text) => evaluate(text, scope))?.value;
      const inner = forecastGraph(parts, node.settings.graph, { ...scope, nodes: {}, input: {} });
      const times = Array.isArray(items) ? items.length : null;
      return { times, credits: sumEstimates(inner) * (times ?? 1) };
    }
    case 'assert':
    case 'http':
    case 'delay':
    case 'approval':
    case 'webhook_wait':
      return { credits: 0 };
  }
}

/** Follows a workflow that calls itself down to the depth limit. */
function costOfWorkflow(parts: Parts, { settings }: Extract<GraphNode, { type: 'workflow' }>, scope: Scope): number {
  const depth = parts.depth + 1;
  if (depth >= maxWorkflowDepth) return 0;
  const { graph } = reachable(parts.workflows[toPartName(settings.workflowId, getLiteral(settings.version))]);
  const inputs = { ...knownParams(settings.inputs, scope), ...scope.input };
  return sumEstimates(forecastGraph({ ...parts, depth }, graph, { inputs }));
}

/** The name of the model of a lens among the models of a dry run; empty for the default. */
export const modelOfLens = (
  { model }: Extract<GraphNode, { type: 'lens' }>['settings'],
  { settings }: LensPart,
): string => getLiteral(model) ?? settings?.models?.join(' ') ?? '';

/** The name of the model of an AI lenser among the models of a dry run. */
export const agentModel = (agent: string): string => `agent ${agent}`;
export const modelOfNode = ({ agent, model }: Extract<GraphNode, { type: 'agent' }>['settings']): string =>
  getLiteral(model) ?? agentModel(agent);

/** Estimates all steps of each agent by the prompt, without what tools return. */
function costOfAgents(
  parts: Parts,
  settings: Omit<AgentLimits, 'tools'>,
  models: readonly string[],
  scope: Scope,
): number {
  const { maxSteps, maxOutputTokens, maxCredits = Infinity } = settings;
  const { prompt = '' } = knownParams({ prompt: settings.prompt }, scope);
  const text = typeof prompt === 'string' ? prompt : JSON.stringify(prompt);
  const costs = models.map((name) =>
    estimateCost(parts.model ?? reachable(parts.models[name]), roughTokens(text), { sampling: { maxOutputTokens } }),
  );
  return Math.min(
    maxCredits,
    costs.reduce((sum, cost) => sum + cost * maxSteps, 0),
  );
}

/** Estimates with the known values; unknown ones count as empty. */
function costOfLens(parts: Parts, { settings }: Extract<GraphNode, { type: 'lens' }>, scope: Scope): number {
  const lens = reachable(parts.lenses[toPartName(settings.lensId, getLiteral(settings.version))]);
  const { templateBody } = lens;
  const ofRun = leavesModelOpen(lens.settings) ? parts.model : null;
  const model = ofRun ?? reachable(parts.models[modelOfLens(settings, lens)]);
  const defaults = Object.fromEntries((lens.settings?.params ?? []).map(({ label, default: value }) => [label, value]));
  const values = { ...defaults, ...knownParams(settings.params, scope), ...scope.input };
  const resolved = resolveTemplate(new ParsedTemplate(templateBody, lens.includes), values, lens.settings?.examples);
  const prompt = 'prompt' in resolved ? textOf(resolved) : templateBody;
  return estimateCost(model, roughTokens(prompt), { sampling: lens.settings?.sampling });
}

const knownParams = (params: Record<string, unknown>, scope: Scope): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      const known = undefinedOnFault(() => resolveValue(value, (text) => evaluate(text, scope)));
      return known ? [[name, known.value] as const] : [];
    }),
  );
