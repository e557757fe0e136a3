import type { NodeStatus } from '@lensforge/contracts';
import type { Scope as ExpressionScope, NodeInScope } from '@lensforge/workflows';
import { readExpression } from '@lensforge/workflows';
import type { Scope } from './plan.js';

/** What a node was given and has come to. */
export interface Value {
  input: unknown;
  output: unknown;
  error: { code: string; message: string } | null;
  /** It has not come to its end: what it was given is known, the rest is not. */
  open?: boolean;
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

/** What an expression at this place may speak of: of the nodes, those that are named. */
export function scopeValues(known: Known, scope: Scope, ids: Iterable<string>): ExpressionScope {
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
    if (value && !value.open) nodes[id] = { output: value.output ?? null, status, error: value.error };
    else missing.push(key);
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
  const input = known.valueOf(mapKey)?.input;
  if (!Array.isArray(input)) missing.push(mapKey);
  return { item: Array.isArray(input) ? (input[index] as unknown) : null, index };
}

export const nodesIn = (texts: Iterable<string>): string[] => [
  ...new Set([...texts].flatMap((text) => readExpression(text).nodes)),
];
