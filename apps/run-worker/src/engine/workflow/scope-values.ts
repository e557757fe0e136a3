import type { NodeStatus } from '@lensforge/contracts';
import {
  ExpressionFault,
  type Scope as ExpressionScope,
  type NodeInScope,
  referencedNodes,
} from '@lensforge/workflows';
import type { Scope } from './plan.js';

/** The input and result of a node. */
export interface Value {
  input: unknown;
  output: unknown;
  error: { code: string; message: string } | null;
  /** The node has not ended: only its input is known. */
  open?: boolean;
  /** The size as JSON in bytes. */
  size: number;
  /** The value was not read because the requested values together exceed the limit. */
  tooLarge?: boolean;
}

/** Thrown when a decision needs results of nodes that this process has not read yet. */
export class MissingValues extends Error {
  override readonly name = 'MissingValues';

  constructor(readonly keys: readonly string[]) {
    super('the outputs of earlier nodes could not be read');
  }
}

export interface Known {
  runId: string;
  inputs: Readonly<Record<string, unknown>>;
  statusOf: (key: string) => NodeStatus | undefined;
  valueOf: (key: string) => Value | undefined;
}

/** The limit, in bytes of JSON, of the values that the expressions of one node refer to. */
export const maxBytesReferred = 4_194_304;

/** The number of bytes that expressions may still refer to. */
export class ReferredBytes {
  constructor(private left = maxBytesReferred) {}

  take(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw tooLarge();
  }
}

/** The scope of expressions, with the named nodes only. */
export function scopeValues(
  known: Known,
  scope: Scope,
  ids: Iterable<string>,
  bytes = new ReferredBytes(),
): ExpressionScope {
  const missing: string[] = [];
  const nodes: Record<string, NodeInScope> = {};
  for (const id of ids) {
    const key = scope.prefix + id;
    const status = known.statusOf(key) ?? 'pending';
    if (status !== 'succeeded' && status !== 'failed' && status !== 'timed_out') {
      nodes[id] = { output: null, status, error: null };
      continue;
    }
    const value = known.valueOf(key);
    if (value?.tooLarge) throw tooLarge();
    if (value && !value.open) {
      bytes.take(value.size);
      nodes[id] = { output: value.output ?? null, status, error: value.error };
    } else {
      missing.push(key);
    }
  }
  const item = scope.of && findItem(known, scope.of, missing);
  if (missing.length > 0) throw new MissingValues(missing);
  return { inputs: known.inputs, nodes, run: { id: known.runId }, ...item };
}

function findItem(
  known: Known,
  { mapKey, index }: { mapKey: string; index: number },
  missing: string[],
): { item: unknown; index: number } {
  const value = known.valueOf(mapKey);
  if (value?.tooLarge) throw tooLarge();
  const input = value?.input;
  if (!Array.isArray(input)) missing.push(mapKey);
  return { item: Array.isArray(input) ? (input[index] as unknown) : null, index };
}

const tooLarge = (): ExpressionFault =>
  new ExpressionFault('too_large', 'the outputs of nodes that are referred to here are too large together');

/** The nodes of a graph that expressions in it may refer to. */
export const nodesIn = (texts: Iterable<string>, { plan }: Scope): string[] =>
  referencedNodes([...texts], plan.nodes.keys());
