import { readAgentEvents, readAgentPositions } from '@lensforge/agents';
import {
  type AgentEvent,
  type BattleEvent,
  type BattleStatus,
  type ExperimentEvent,
  type ExperimentStatus,
  type RunEvent,
  type ThreadEvent,
  agentChannel,
  battleChannel,
  endedBattleStatuses,
  endedExperimentStatuses,
  experimentChannel,
  runChannel,
  threadChannel,
} from '@lensforge/contracts';
import { readBattleEvents, readBattlePositions } from '@lensforge/battles';
import type { Context } from '@lensforge/core';
import { readExperimentEvents, readExperimentPositions } from '@lensforge/evaluation';
import { readEvents, readRunPositions } from '@lensforge/runs';
import { canFollowThread, readThreadEvents, readThreadPositions } from '@lensforge/threads';
import type { LogEvent } from './frame.js';

/** A kind of event log that clients follow: events that are numbered from 1 without gaps. */
export interface EventLog<E extends LogEvent> {
  /** The plural of what has such a log. */
  readonly kind: string;
  /** The name of the metric that counts the followed logs. */
  readonly gauge: string;
  readonly channel: (id: string) => string;
  /** Reads a message of the channel: an event, or the number of the newest one. */
  readonly parse: (message: string) => E | number;
  readonly read: (ctx: Context, id: string, after: number, limit: number) => Promise<E[]>;
  readonly positions: (ctx: Context, ids: readonly string[]) => Promise<{ id: string; lastSequence: number }[]>;
  /** The status with which an event ends the stream; undefined for other events. */
  readonly endingOf: (event: E) => string | undefined;
  /** True while the caller may read the log; absent when no caller loses that right. */
  readonly canFollow?: (ctx: Context, id: string) => Promise<boolean>;
  /** The id of the last frame. */
  readonly doneId: (lastSequence: number) => number;
}

const endings: Readonly<Record<string, string>> = {
  'run.succeeded': 'succeeded',
  'run.failed': 'failed',
  'run.canceled': 'canceled',
  'run.timed_out': 'timed_out',
};

export const runLog: EventLog<RunEvent> = {
  kind: 'runs',
  gauge: 'lensforge_event_stream_runs',
  channel: runChannel,
  parse: (message) => JSON.parse(message) as RunEvent,
  read: readEvents,
  positions: readRunPositions,
  endingOf: ({ eventType }) => endings[eventType],
  doneId: (lastSequence) => lastSequence + 1,
};

/** Events can follow the end of a stream, so its last frame has no id of its own. */
export const battleLog: EventLog<BattleEvent> = {
  kind: 'battles',
  gauge: 'lensforge_event_stream_battles',
  channel: battleChannel,
  parse: Number,
  read: readBattleEvents,
  positions: readBattlePositions,
  endingOf: ({ eventType, payload }) => {
    const { status } = payload as { status?: BattleStatus };
    return eventType === 'status.changed' && status && endedBattleStatuses.includes(status) ? status : undefined;
  },
  doneId: (lastSequence) => lastSequence,
};

/** An incomplete experiment can be resumed, so the last frame has no id of its own. */
export const experimentLog: EventLog<ExperimentEvent> = {
  kind: 'experiments',
  gauge: 'lensforge_event_stream_experiments',
  channel: experimentChannel,
  parse: Number,
  read: readExperimentEvents,
  positions: readExperimentPositions,
  endingOf: ({ eventType, payload }) => {
    const { status } = payload as { status?: ExperimentStatus };
    return eventType === 'status.changed' && status && endedExperimentStatuses.includes(status) ? status : undefined;
  },
  doneId: (lastSequence) => lastSequence,
};

/** Runs that archiving has canceled may end later, so the last frame has no id of its own. */
export const agentLog: EventLog<AgentEvent> = {
  kind: 'agents',
  gauge: 'lensforge_event_stream_agents',
  channel: agentChannel,
  parse: Number,
  read: readAgentEvents,
  positions: readAgentPositions,
  endingOf: ({ eventType }) => (eventType === 'agent.archived' ? 'archived' : undefined),
  doneId: (lastSequence) => lastSequence,
};

/** A closed thread can be reopened, so its last frame has no id of its own. */
export const threadLog: EventLog<ThreadEvent> = {
  kind: 'threads',
  gauge: 'lensforge_event_stream_threads',
  channel: threadChannel,
  parse: Number,
  read: readThreadEvents,
  positions: readThreadPositions,
  endingOf: ({ eventType, payload }) =>
    eventType === 'thread.updated' && payload['status'] === 'closed' ? 'closed' : undefined,
  canFollow: canFollowThread,
  doneId: (lastSequence) => lastSequence,
};
