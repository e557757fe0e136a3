import { work } from '@lensforge/edge';
import { webhookDispatcher } from './service.js';

await work(webhookDispatcher);
