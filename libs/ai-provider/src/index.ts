export { createLensforge } from './create-lensforge.js';
export type { LensforgeProvider, LensforgeSettings, RunOptions } from './create-lensforge.js';
