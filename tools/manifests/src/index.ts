export { evaluate, firstEvaluation, readScaler } from './autoscaler.js';
export type { Evaluation, Scaler } from './autoscaler.js';
export { hasKubectl, manifestsIn, buildYaml as yamlOf } from './build-overlay.js';
