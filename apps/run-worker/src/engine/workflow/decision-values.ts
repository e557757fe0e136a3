import { type Outcome, leafOutputs, requireValue } from '@lensforge/workflows';
import { type Computations, Uncomputed } from './computations.js';
import type { Scope } from './plan.js';
import { type Known, MissingValues, ReferredBytes, type Value, nodesIn, scopeValues } from './scope-values.js';

/** The size limit of the values that the outputs of a run, or of all items of a map, refer to. */
export const maxOutputBytes = 16_777_216;

/** An expression with its name. */
type Named = readonly [name: string, text: string];

/** The results of nodes and the values of expressions during one decision. */
export class DecisionValues {
  /** The results that the decision adds. */
  readonly added = new Map<string, Value>();
  private readonly known: Known;

  constructor(
    known: Known,
    private readonly computations: Computations,
  ) {
    this.known = { ...known, valueOf: (key) => this.added.get(key) ?? known.valueOf(key) };
  }

  /** The values of expressions by name; throws the fault of an expression when all are computed. */
  computed(prefix: string, scope: Scope, texts: readonly Named[], bytes?: ReferredBytes): Record<string, unknown> {
    const outcomes = this.findOutcomes(prefix, scope, texts, bytes);
    return Object.fromEntries(outcomes.map(([name, outcome]) => [name, requireValue(outcome)]));
  }

  /** The outputs of a run, or of one item of a map. */
  outputs(scope: Scope, bytes = new ReferredBytes(maxOutputBytes)): Record<string, unknown> {
    const { graph, nodes } = scope.plan;
    if (graph.outputs) return this.computed(`${scope.prefix} = `, scope, Object.entries(graph.outputs), bytes);
    const last = graph.nodes.map(({ id }) => id).filter((id) => nodes.get(id)?.outgoing.length === 0);
    return leafOutputs(graph, scopeValues(this.known, scope, last, bytes));
  }

  /** The outputs of which all nodes have succeeded; those whose expression does not evaluate are left out. */
  findSucceededOutputs(scope: Scope): Record<string, unknown> {
    const { graph, nodes } = scope.plan;
    const hasSucceeded = (id: string): boolean => this.known.statusOf(scope.prefix + id) === 'succeeded';
    const bytes = new ReferredBytes(maxOutputBytes);
    if (!graph.outputs) {
      const last = [...nodes.keys()].filter((id) => nodes.get(id)?.outgoing.length === 0 && hasSucceeded(id));
      return leafOutputs(graph, scopeValues(this.known, scope, last, bytes));
    }
    const texts = Object.entries(graph.outputs).filter(([, text]) => {
      const ids = nodesIn([text], scope);
      return ids.length > 0 && ids.every(hasSucceeded);
    });
    const outcomes = this.findOutcomes(`${scope.prefix} = `, scope, texts, bytes);
    return Object.fromEntries(outcomes.flatMap(([name, each]) => ('value' in each ? [[name, each.value]] : [])));
  }

  /** Collects missing and uncomputed values of all items before it throws, so that they are read together. */
  outputsOfAll(scopes: readonly (Scope | undefined)[]): (Record<string, unknown> | null)[] {
    const missing: string[] = [];
    let uncomputed: Uncomputed | undefined;
    const bytes = new ReferredBytes(maxOutputBytes);
    const results = scopes.map((scope) => {
      try {
        return scope ? this.outputs(scope, bytes) : null;
      } catch (reason) {
        if (reason instanceof MissingValues) missing.push(...reason.keys);
        else if (reason instanceof Uncomputed) uncomputed = reason;
        else throw reason;
        return null;
      }
    });
    if (missing.length > 0) throw new MissingValues(missing);
    if (uncomputed) throw uncomputed;
    return results;
  }

  private findOutcomes(
    prefix: string,
    scope: Scope,
    texts: readonly Named[],
    bytes?: ReferredBytes,
  ): [string, Outcome][] {
    const ids = nodesIn(
      texts.map(([, text]) => text),
      scope,
    );
    const values = scopeValues(this.known, scope, ids, bytes);
    const outcomes = texts.map(
      ([name, text]) => [name, this.computations.findOutcome(prefix + name, { text, scope: values })] as const,
    );
    return outcomes.map(([name, outcome]) => {
      if (!outcome) throw new Uncomputed();
      return [name, outcome];
    });
  }
}
