import type { PlatformDefinition } from '@lensforge/edge';
import { RunWorkerEnvironment } from './environment.js';

/** The platform of a run-worker and of its isolated processes. */
export const runWorkerPlatform: PlatformDefinition<RunWorkerEnvironment> = {
  name: 'run-worker',
  environment: RunWorkerEnvironment,
};
