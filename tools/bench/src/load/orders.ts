import type { Call } from './connection.js';

/** Each of `connections` sends its next request after the last response. */
export interface ClosedLoop {
  kind: 'closed';
  call: Call;
  connections: number;
  warmMs: number;
  ms: number;
}

/** Requests are due at fixed times, independent of earlier responses. */
export interface OpenLoop {
  kind: 'open';
  call: Call;
  connections: number;
  perSecond: number;
  ms: number;
}

/** Sends `count` requests as fast as the connections allow. */
export interface FixedCount {
  kind: 'fixedCount';
  call: Call;
  connections: number;
  count: number;
}

/** Sends each of the calls once, as fast as the connections allow. */
export interface Each {
  kind: 'each';
  calls: Call[];
  connections: number;
}

/** Sends `count` requests and times each; every connection sends one of the calls, in rotation. */
export interface Timed {
  kind: 'timed';
  calls: Call[];
  connections: number;
  count: number;
  /** Each connection waits for this time before a request. */
  pauseMs: number;
}

/** Accepts runs one after the other and follows each stream to its end. */
export interface Follow {
  kind: 'follow';
  accept: Call;
  /** `{id}` in its path is replaced by the accepted id. */
  stream: Call;
  pauseMs: number;
  ms: number;
}

/** Many readers of one stream, and one writer that commits and publishes as fast as all of them follow. */
export interface FanOut {
  kind: 'fan-out';
  stream: Call;
  readers: number;
  /** The maximum number of undelivered events for each reader. */
  window: number;
  batch: number;
  ms: number;
  writer: Writer;
}

export interface Writer {
  databaseUrl: string;
  redisUrl: string;
  channel: string;
  /** Commits the events in $2, a JSON array, for the run or job in $1. */
  commit: string;
  id: string;
  /** The last stored sequence number. */
  after: number;
}

/** Many live streams with some readers each, and one writer that writes events to them in rotation. */
export interface Crowd {
  kind: 'crowd';
  stream: Call;
  readersEach: number;
  eventsEach: number;
  databaseUrl: string;
  redisUrl: string;
  /** Commits one event in $2, a JSON array, for the run or job in $1. */
  commit: string;
  live: { id: string; after: number; channel: string }[];
}

/** Opens streams and keeps them until the next order. */
export interface HoldReaders {
  kind: 'hold-readers';
  streams: Call[];
}

export interface LetGo {
  kind: 'let-go';
}

export type Order = ClosedLoop | OpenLoop | FixedCount | Each | Timed | Follow | FanOut | Crowd | HoldReaders | LetGo;

export interface Outcomes {
  closed: { answered: number; ms: number };
  open: { latencies: number[] };
  fixedCount: { ids: string[] };
  each: { ms: number };
  timed: { latencies: number[]; ms: number };
  follow: { first: number[]; done: number[] };
  'fan-out': { delivered: number; ms: number; lost: number };
  crowd: { delivered: number; ms: number; lost: number };
  'hold-readers': { open: number };
  'let-go': Record<string, never>;
}

export type OutcomeOf<O extends Order> = Outcomes[O['kind']];
