import type { AgentEvent, BattleEvent, ExperimentEvent, RunEvent, ThreadEvent } from '@lensforge/contracts';
import type { Platform } from '@lensforge/edge';
import type { Subscriber } from '@lensforge/queue';
import type { GatewayEnvironment } from '../environment.js';
import { agentLog, battleLog, experimentLog, runLog, threadLog } from './event-log.js';
import { EventStreams } from './event-streams.js';
import type { OpenConnections } from './open-connections.js';

/** The open streams of single runs, of battles, of experiments, of AI lensers and of threads at this gateway. */
export class LogStreams {
  readonly runs: EventStreams<RunEvent>;
  readonly battles: EventStreams<BattleEvent>;
  readonly experiments: EventStreams<ExperimentEvent>;
  readonly agents: EventStreams<AgentEvent>;
  readonly threads: EventStreams<ThreadEvent>;

  constructor(platform: Platform<GatewayEnvironment>, subscriber: Subscriber, connections: OpenConnections) {
    this.runs = new EventStreams(runLog, { platform, subscriber, connections });
    this.battles = new EventStreams(battleLog, { platform, subscriber, connections });
    this.experiments = new EventStreams(experimentLog, { platform, subscriber, connections });
    this.agents = new EventStreams(agentLog, { platform, subscriber, connections });
    this.threads = new EventStreams(threadLog, { platform, subscriber, connections });
  }

  close(): void {
    this.runs.close();
    this.battles.close();
    this.experiments.close();
    this.agents.close();
    this.threads.close();
  }
}
