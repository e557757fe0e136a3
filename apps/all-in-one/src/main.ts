import { join } from 'node:path';
import { apiGateway } from '@lensforge/api-gateway';
import { serveTogether, startService, startWorker } from '@lensforge/edge';
import { mcpGateway } from '@lensforge/mcp-gateway';
import { oauth } from '@lensforge/oauth';
import { runWorker } from '@lensforge/run-worker';
import { webhookDispatcher } from '@lensforge/webhook-dispatcher';

// The program of isolated runs is beside this one in bundle/.
const isolatedRun = join(import.meta.dirname, 'isolated-run.js');

await serveTogether({
  name: 'all-in-one',
  first: (overrides) => startService(apiGateway, overrides),
  others: {
    100: (overrides) => startService(mcpGateway, overrides),
    200: (overrides) => startService(oauth, overrides),
    300: (overrides) => startWorker(runWorker({ isolatedRun }), overrides),
    400: (overrides) => startWorker(webhookDispatcher, overrides),
  },
});
