import type { Demand } from './model.js';

const usual: Demand = {
  kind: 'lens',
  runsPerSecond: 0,
  providerSeconds: 2,
  streams: 0,
  eventsPerStream: 0.2,
  retentionDays: 30,
};

/** The demands of the table in docs/scaling.md. */
export const usualDemands = (): Demand[] => [
  ...[10, 100, 1000, 10_000].map((runsPerSecond) => ({ ...usual, runsPerSecond })),
  { ...usual, streams: 100_000 },
];
