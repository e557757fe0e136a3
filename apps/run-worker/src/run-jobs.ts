import type { RunJob } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import { Handles } from '@lensforge/queue';
import { Controller } from '@nestjs/common';
import { Engine } from './engine/run.js';
import { IsolatedLane } from './isolation/lane.js';

@Controller()
export class RunJobs {
  constructor(
    private readonly engine: Engine,
    private readonly lane: IsolatedLane,
  ) {}

  @Handles(jobs.executeRun)
  async execute(job: RunJob): Promise<void> {
    await this.engine.execute(job);
  }

  @Handles(jobs.executeIsolatedRun)
  async executeIsolated(job: RunJob): Promise<void> {
    await this.lane.execute(job);
  }
}
