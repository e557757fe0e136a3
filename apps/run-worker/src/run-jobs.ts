import { type ByokTestJob, type NodeJob, type RunJob, jobs } from '@lensforge/contracts';
import { Handles, type JobContext } from '@lensforge/queue';
import { Controller } from '@nestjs/common';
import { ByokTests } from './byok-tests.js';
import { Engine } from './engine/run.js';
import { NodeEngine } from './engine/workflow/node-engine.js';
import { IsolatedProcessPool } from './isolation/isolated-process-pool.js';

@Controller()
export class RunJobs {
  constructor(
    private readonly engine: Engine,
    private readonly nodes: NodeEngine,
    private readonly isolatedProcesses: IsolatedProcessPool,
    private readonly byokTests: ByokTests,
  ) {}

  @Handles(jobs.executeRun)
  async execute(job: RunJob, place: JobContext): Promise<void> {
    await this.engine.execute(job, place);
  }

  @Handles(jobs.executeNode)
  async executeNode(job: NodeJob): Promise<void> {
    await this.nodes.execute(job);
  }

  @Handles(jobs.executeIsolatedRun)
  async executeIsolated(job: RunJob): Promise<void> {
    await this.isolatedProcesses.execute(job);
  }

  @Handles(jobs.testByokKey)
  testByokKey(job: ByokTestJob): Promise<void> {
    return this.byokTests.run(job);
  }
}
