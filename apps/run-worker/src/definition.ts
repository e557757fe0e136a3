import { battleEntities } from '@lensforge/battles';
import { byokEntities } from '@lensforge/byok';
import { creditEntities } from '@lensforge/credits';
import type { PlatformDefinition } from '@lensforge/edge';
import { lensEntities } from '@lensforge/lenses';
import { modelEntities } from '@lensforge/models';
import { runEntities } from '@lensforge/runs';
import { workflowEntities } from '@lensforge/workflows';
import { RunWorkerEnvironment } from './environment.js';

/** The platform of a run-worker and of its isolated processes. */
export const runWorkerPlatform: PlatformDefinition<RunWorkerEnvironment> = {
  name: 'run-worker',
  environment: RunWorkerEnvironment,
  entities: [
    ...lensEntities,
    ...modelEntities,
    ...runEntities,
    ...creditEntities,
    ...byokEntities,
    ...workflowEntities,
    ...battleEntities,
  ],
};
