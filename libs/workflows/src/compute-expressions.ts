import type { Evaluation, Outcome, PackedEvaluations } from './evaluations.js';
import { SandboxFault, type TaskLimits, sandboxTasks } from '@lensforge/sandbox';
import { ExpressionFault } from './expression-fault.js';
import type { expressionTasks } from './expression-tasks.js';
import { type Scope, cachedExpression, readExpression } from './expression.js';

/** The value of an outcome; a fault is thrown. */
export function requireValue(outcome: Outcome): unknown {
  if ('value' in outcome) return outcome.value;
  throw new ExpressionFault(outcome.fault.code, outcome.fault.message);
}

/** The limit for all results of one call together. */
export const maxResultBytes = 1_048_576;

const unitsPerCharacterRead = 4;
const charactersPerUnit = 16;

/** The budget for computing in the service process: about two milliseconds. */
export class InlineBudget {
  constructor(private units = 20_000) {}

  /** Evaluates a provably cheap expression; undefined if no bound is known or the budget is used up. */
  evaluate({ text, scope }: Evaluation): Outcome | undefined {
    const reading = cachedExpression(text) ? 0 : text.length * unitsPerCharacterRead;
    if (reading > this.units) return undefined;
    this.units -= reading;
    return catchFault(() => {
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

/** Turns an ExpressionFault into an outcome. */
function catchFault(work: () => Outcome | undefined): Outcome | undefined {
  try {
    return work();
  } catch (reason) {
    if (!(reason instanceof ExpressionFault)) throw reason;
    return { fault: { code: reason.code, message: reason.message } };
  }
}

/** The size of the values at these paths, in units; Infinity above the limit. */
function sizeWithin(scope: Scope, paths: readonly (readonly string[])[], limit: number): number {
  let size = 1;
  const visit = (value: unknown): void => {
    size += typeof value === 'string' ? 1 + value.length / charactersPerUnit : 1;
    if (size > limit) return;
    if (Array.isArray(value)) for (let at = 0; at < value.length && size <= limit; at += 1) visit(value[at]);
    else if (typeof value === 'object' && value !== null) {
      for (const name in value) {
        if (size > limit) return;
        visit((value as Record<string, unknown>)[name]);
      }
    }
  };
  for (const path of paths) visit(memberAt(scope, path));
  return size > limit ? Infinity : size;
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

/** Evaluates cheap expressions in process and the rest in the sandbox; returns outcomes in order. */
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

/** Evaluates expressions in one sandbox task; each gets a fault when the task exceeds a limit. */
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
  too_slow: 'exceeds its time limit',
  too_much_memory: 'exceeds its memory limit',
  output_too_large: `exceeds the result limit of ${maxResultBytes} bytes`,
  failed: 'could not be computed',
} as const;

function packed(evaluations: readonly Evaluation[]): PackedEvaluations {
  const values: unknown[] = [];
  const indexes = new Map<unknown, number>();
  const indexOf = (value: unknown): number => {
    const known = indexes.get(value);
    if (known !== undefined) return known;
    indexes.set(value, values.length);
    return values.push(value) - 1;
  };
  const packedScope = (scope: Scope): Record<string, number> =>
    Object.fromEntries(
      Object.entries(scope).flatMap(([name, value]) => (value === undefined ? [] : [[name, indexOf(value)]])),
    );
  return { evaluations: evaluations.map(({ text, scope }) => ({ text, scope: packedScope(scope) })), values };
}
