import { work } from '@lensforge/edge';
import { runWorker } from './service.js';

await work(runWorker);
