export { ensureSamples } from './samples/ensure-samples.js';
export type { SampleSources } from './samples/ensure-samples.js';
