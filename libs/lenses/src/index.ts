export * from './create-lens.js';
export { Lens } from './lens.entity.js';
export type { LensStatus, LensVisibility } from './lens.entity.js';
export { LensVersion } from './lens-version.entity.js';
export * from './runnable-lens.js';
export * from './template.js';

import { Lens } from './lens.entity.js';
import { LensVersion } from './lens-version.entity.js';

export const lensEntities = [Lens, LensVersion] as const;
