import type { NodeStatus } from '@lensforge/contracts';
import type { Scope as ExpressionScope, NodeInScope } from '@lensforge/workflows';
import { ExpressionFault, referencedNodes } from '@lensforge/workflows';
import type { Scope } from './plan.js';

/** What a node was given and has come to. */
export interface Value {
  input: unknown;
  output: unknown;
  error: { code: string; message: string } | null;
  /** It has not come to its end: what it was given is known, the rest is not. */
  open?: boolean;
  /** Bytes of it as JSON. */
  size: number;
  /** It was not read, as all that was asked for together is larger than may be read at once. */
  tooLarge?: boolean;
}

/** Thrown where a decision needs what nodes have come to and this process does not know it yet. */
export class Missing extends Error {
  override readonly name = 'Missing';

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

/** What the expressions of one place may refer to together, as bytes of JSON. */
export const mostBytesReferred = 4_194_304;

/** Bytes that may still be referred to. */
export class ReferredBytes {
  constructor(private left = mostBytesReferred) {}

  take(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw tooLarge();
  }
}

/** What an expression at this place may refer to: of the nodes, those that are named. */
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
  const item = scope.of && itemOf(known, scope.of, missing);
  if (missing.length > 0) throw new Missing(missing);
  return { inputs: known.inputs, nodes, run: { id: known.runId }, ...item };
}

function itemOf(
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
