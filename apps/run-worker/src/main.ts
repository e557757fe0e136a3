import { join } from 'node:path';
import { work } from '@lensforge/edge';
import { runWorker } from './service.js';

await work(runWorker({ isolatedRun: join(import.meta.dirname, 'isolated-run.js') }));
