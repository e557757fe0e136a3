// What has no limit of its own and is computed in the sandbox: lint lets only modules of tasks import it.
export { evaluate, evaluateCondition, readExpression } from './expression.js';
export { outputsOf } from './outputs-of.js';
