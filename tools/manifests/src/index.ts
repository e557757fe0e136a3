export { evaluate, firstEvaluation, readScaler } from './autoscaler.js';
export type { Evaluation, Scaler } from './autoscaler.js';
export { hasKubectl, manifestsIn, buildYaml } from './build-overlay.js';
