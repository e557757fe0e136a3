import type { Scope } from './expression.js';

export interface Evaluation {
  text: string;
  scope: Scope;
}

/** The value or fault of an expression. */
export type Outcome = { value: unknown } | { fault: { code: string; message: string } };

export interface PackedEvaluations {
  /** Values of all scopes, deduplicated. */
  values: unknown[];
  evaluations: { text: string; scope: Record<string, number> }[];
}
