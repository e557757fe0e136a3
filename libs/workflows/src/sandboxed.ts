// Functions without a time limit, for the sandbox: lint allows the import in task modules only.
export { evaluate, evaluateCondition, readExpression, readTextExpression } from './expression.js';
export { computeOutputs } from './compute-outputs.js';
