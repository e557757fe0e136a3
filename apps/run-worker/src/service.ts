import { jobs } from '@lensforge/contracts';
import type { WorkerDefinition } from '@lensforge/edge';
import { checkMasterKey } from '@lensforge/master-keys';
import { runWorkerPlatform } from './definition.js';
import type { RunWorkerEnvironment } from './environment.js';
import { readByokRing } from './byok-opener.js';
import { RunWorkerModule } from './run-worker.module.js';

/** `isolatedRun` is the program of isolated processes. */
export const runWorker = ({ isolatedRun }: { isolatedRun: string }): WorkerDefinition<RunWorkerEnvironment> => ({
  ...runWorkerPlatform,
  startCheck: async ({ environment, database, name }) => {
    const ring = readByokRing(environment);
    if (!ring) return;
    await checkMasterKey({ db: database.manager }, { setting: 'LENSFORGE_BYOK_MASTER_KEY', ring, by: name });
  },
  module: (platform) => RunWorkerModule.on(platform, isolatedRun),
  queues: (environment) => ({
    [jobs.executeRun.queue]: environment.LENSFORGE_RUN_CONCURRENCY,
    [jobs.executeNode.queue]: environment.LENSFORGE_NODE_CONCURRENCY,
    [jobs.executeIsolatedRun.queue]: environment.LENSFORGE_RUN_ISOLATED_CONCURRENCY,
    [jobs.testByokKey.queue]: 2,
    [jobs.carryOutRunOperation.queue]: 2,
    [jobs.advanceBattle.queue]: 2,
    [jobs.advanceExperiment.queue]: 4,
    [jobs.callScorer.queue]: 20,
    [jobs.recordAgentRunEnd.queue]: 2,
    [jobs.answerMention.queue]: 2,
    [jobs.refreshMcpServer.queue]: 4,
  }),
});
