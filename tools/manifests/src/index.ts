export { evaluate, firstEvaluation, readScaler } from './autoscaler.js';
export type { Evaluation, Scaler } from './autoscaler.js';
export { hasKubectl, manifestsIn, yamlOf } from './build-overlay.js';
