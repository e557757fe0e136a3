import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const services = ['api-gateway', 'run-worker', 'webhook-dispatcher'] as const;
export type Service = (typeof services)[number];
export const stores = ['postgres', 'redis'] as const;
export type Store = (typeof stores)[number];

export const runKinds = ['lens', 'lens-with-webhook', 'workflow'] as const;
/** A workflow has ten nodes one after the other. */
export type RunKind = (typeof runKinds)[number];

/** The consumption of one run. */
export interface RunCosts {
  /** Milliseconds of processor time. */
  cpuMs: Readonly<Record<Service | Store, number>>;
  rows: number;
  /** Kilobytes in PostgreSQL, indexes included. */
  storedKB: number;
  walKB: number;
  commits: number;
  redisCommands: number;
  redisKB: number;
  /** Kilobytes between all processes, callers included. */
  networkKB: number;
}

/** The costs at a rate. Statements and commits are shared by runs that come at the same time, so a run costs more at a lower rate. */
export interface CostPoint {
  /** Runs a second of one gateway and one run-worker. */
  perSecond: number;
  costs: RunCosts;
}

/** Costs that were measured on one machine. */
export interface Costs {
  measuredAt: string;
  machine: Readonly<Record<string, string | number>>;
  servers: Readonly<Record<string, string>>;
  /** In the order of rates; the last rate is the highest that the machine reached. */
  runs: Readonly<Record<RunKind, readonly CostPoint[]>>;
  /** Busy processors of an idle installation. */
  idleProcessors: Readonly<Record<Service | Store, number>>;
  streams: {
    /** Megabytes of a gateway for 1,000 open streams. */
    memoryMB: number;
    /** Milliseconds of a gateway for an event that is sent to one stream. */
    eventMs: number;
  };
  /** Milliseconds from the acceptance of a run that comes alone to its end, on the offline provider. */
  loneRunMs: number;
  /** Kilobytes of Redis for a waiting run. */
  waitingRunKB: number;
  /** Resident megabytes of a process after its start, and after thousands of runs. */
  memoryMB: Readonly<Record<Service, { idle: number; loaded: number }>>;
}

const file = join(import.meta.dirname, '..', '..', 'costs.json');

export const readCosts = async (): Promise<Costs> => JSON.parse(await readFile(file, 'utf8')) as Costs;

export async function writeCosts(costs: Costs): Promise<string> {
  await writeFile(file, `${JSON.stringify(costs, null, 2)}\n`);
  return file;
}
