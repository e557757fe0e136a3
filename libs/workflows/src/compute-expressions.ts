import { SandboxFault, sandboxTasks } from '@lensforge/sandbox';
import type { TaskLimits } from '@lensforge/sandbox';
import { ExpressionFault } from './expression-fault.js';
import type { expressionTasks } from './expression-tasks.js';
import type { Scope } from './expression.js';
import { cachedExpression, readExpression } from './expression.js';

export interface Evaluation {
  text: string;
  scope: Scope;
}

/** What an expression came to. */
export type Outcome = { value: unknown } | { fault: { code: string; message: string } };

/** The value of an outcome; a fault is thrown. */
export function valueOf(outcome: Outcome): unknown {
  if ('value' in outcome) return outcome.value;
  throw new ExpressionFault(outcome.fault.code, outcome.fault.message);
}

/** What all expressions of one call may come to together. */
export const maxResultBytes = 1_048_576;

const unitsPerCharacterRead = 4;
const charactersPerUnit = 16;

/** How much may be computed in the service itself, in one go: about two milliseconds' worth. */
export class InlineBudget {
  constructor(private units = 20_000) {}

  /** Undefined where no static bound proves that the expression is cheap, or the allowance is used up. */
  evaluate({ text, scope }: Evaluation): Outcome | undefined {
    const reading = cachedExpression(text) ? 0 : text.length * unitsPerCharacterRead;
    if (reading > this.units) return undefined;
    this.units -= reading;
    return outcomeOf(() => {
      const expression = readExpression(text);
      const { growth, paths } = expression;
      if (!growth) return undefined;
      const perUnit = growth.linear * growth.factor + 1;
      const cost = perUnit * sizeWithin(scope, paths, this.units / perUnit);
      if (cost > this.units) return undefined;
      this.units -= cost;
      return { value: expression.evaluate(scope) };
    });
  }
}

/** Expressions that cannot be read have the same outcome everywhere. */
function outcomeOf(work: () => Outcome | undefined): Outcome | undefined {
  try {
    return work();
  } catch (reason) {
    if (!(reason instanceof ExpressionFault)) throw reason;
    return { fault: { code: reason.code, message: reason.message } };
  }
}

/** The size of what is read, in units; anything larger than `most` is given as infinite. */
function sizeWithin(scope: Scope, paths: readonly (readonly string[])[], most: number): number {
  let size = 1;
  const visit = (value: unknown): void => {
    size += typeof value === 'string' ? 1 + value.length / charactersPerUnit : 1;
    if (size > most) return;
    if (Array.isArray(value)) for (let at = 0; at < value.length && size <= most; at += 1) visit(value[at]);
    else if (typeof value === 'object' && value !== null) {
      for (const name in value) {
        if (size > most) return;
        visit((value as Record<string, unknown>)[name]);
      }
    }
  };
  for (const path of paths) visit(memberAt(scope, path));
  return size > most ? Infinity : size;
}

function memberAt(scope: Scope, path: readonly string[]): unknown {
  let value: unknown = scope;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

const run = sandboxTasks<typeof expressionTasks>(import.meta.dirname, 'expression-tasks.js');

/** Computes what is cheap at once and the rest in the sandbox; one outcome for each, in their order. */
export async function computeExpressions(
  evaluations: readonly Evaluation[],
  limits: TaskLimits,
  allowance = new InlineBudget(),
): Promise<Outcome[]> {
  const outcomes = evaluations.map((each) => allowance.evaluate(each));
  const rest = evaluations.filter((_, index) => outcomes[index] === undefined);
  if (rest.length === 0) return outcomes as Outcome[];
  const computed = await computeInSandbox(rest, limits);
  return outcomes.map((outcome) => outcome ?? (computed.shift() as Outcome));
}

/** One task for all of them. A limit that they exceed together is the fault of each. */
export async function computeInSandbox(evaluations: readonly Evaluation[], limits: TaskLimits): Promise<Outcome[]> {
  try {
    return await run('evaluate', packed(evaluations), {
      outputBytes: maxResultBytes + 64 * evaluations.length,
      ...limits,
    });
  } catch (reason) {
    if (!(reason instanceof SandboxFault) || reason.kind === 'busy') throw reason;
    const fault = { code: reason.kind, message: faults[reason.kind] };
    return evaluations.map(() => ({ fault }));
  }
}

const faults = {
  too_slow: 'takes longer than it may',
  too_much_memory: 'needs more memory than it may',
  output_too_large: `comes to more than ${maxResultBytes} bytes`,
  failed: 'could not be computed',
} as const;

export interface PackedEvaluations {
  /** Parts of scopes, each once however many scopes share it. */
  values: unknown[];
  evaluations: { text: string; scope: Record<string, number> }[];
}

function packed(evaluations: readonly Evaluation[]): PackedEvaluations {
  const values: unknown[] = [];
  const places = new Map<unknown, number>();
  const placeOf = (value: unknown): number => {
    const known = places.get(value);
    if (known !== undefined) return known;
    places.set(value, values.length);
    return values.push(value) - 1;
  };
  const packedScope = (scope: Scope): Record<string, number> =>
    Object.fromEntries(
      Object.entries(scope).flatMap(([name, value]) => (value === undefined ? [] : [[name, placeOf(value)]])),
    );
  return { evaluations: evaluations.map(({ text, scope }) => ({ text, scope: packedScope(scope) })), values };
}
