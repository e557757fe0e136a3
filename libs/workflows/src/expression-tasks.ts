import type { Outcome, PackedEvaluations } from './evaluations.js';
import { ExpressionFault } from './expression-fault.js';
import { evaluate } from './expression.js';

// Tasks of the sandbox for expressions.

function evaluateAll({ values, evaluations }: PackedEvaluations): Outcome[] {
  return evaluations.map(({ text, scope }) => {
    try {
      const entries = Object.entries(scope).map(([name, index]) => [name, values[index]] as const);
      return { value: evaluate(text, Object.fromEntries(entries)) };
    } catch (reason) {
      if (!(reason instanceof ExpressionFault)) throw reason;
      return { fault: { code: reason.code, message: reason.message } };
    }
  });
}

export const expressionTasks = { evaluate: evaluateAll };
export const tasks = expressionTasks;
