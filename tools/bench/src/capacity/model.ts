import type { CostPoint, Costs, RunCosts, RunKind, Service, Store } from './costs.js';

/** The load of a planned installation. */
export interface Demand {
  kind: RunKind;
  runsPerSecond: number;
  /** The time for which a run waits for its provider. */
  providerSeconds: number;
  streams: number;
  /** Events a second that each stream gets. */
  eventsPerStream: number;
  retentionDays: number;
}

/** The assumptions of a plan: the share of a resource that may be used, and the sizes of servers. */
export interface Plan {
  /** The share of a processor that may be busy. */
  utilisation: number;
  /** Runs that a run-worker executes at a time, LENSFORGE_RUN_CONCURRENCY. */
  runsAtOnce: number;
  /** Megabytes that a gateway may use. */
  gatewayMB: number;
  /** Connections of a process: its pool and its health check. */
  connections: number;
  /** The processors of the largest PostgreSQL server. */
  postgresProcessors: number;
  /** Megabytes a second that the disk of PostgreSQL writes. */
  walMBPerSecond: number;
  /** Seconds of runs that Redis can hold while workers are absent. */
  backlogSeconds: number;
}

export const usualPlan: Plan = {
  utilisation: 0.6,
  runsAtOnce: 60,
  gatewayMB: 512,
  connections: 11,
  postgresProcessors: 32,
  walMBPerSecond: 200,
  backlogSeconds: 600,
};

export interface Capacity {
  processes: Readonly<Record<Service, number>>;
  /** Busy processors. */
  processors: Readonly<Record<Service | Store, number>>;
  /** Processors to provide, with the reserve of the plan. */
  machineProcessors: number;
  postgres: {
    connections: number;
    storedGBPerDay: number;
    storedGB: number;
    walMBPerSecond: number;
    commitsPerSecond: number;
  };
  redis: { commandsPerSecond: number; memoryMB: number };
  networkMBPerSecond: number;
  /** Complete installations with an own PostgreSQL and Redis, between which accounts are divided. */
  installations: number;
  /** The highest rate of one installation by resource, the lowest first. */
  limits: readonly { resource: Resource; runsPerSecond: number }[];
}

export type Resource = 'redis processor' | 'postgres processors' | 'postgres disk';

const atLeast = (least: number, ...needs: number[]): number =>
  Math.max(least, ...needs.map((need) => Math.ceil(need - 1e-9)));

/** The costs of a run when one process gets `perSecond` runs, interpolated on the logarithm of the rate. */
export function costsAt(points: readonly CostPoint[], perSecond: number): RunCosts {
  const above = points.findIndex((point) => point.perSecond >= perSecond);
  const [upper, lower] = [points.at(above), points[above - 1]];
  if (!upper || above < 0) return (points.at(-1) as CostPoint).costs;
  if (!lower) return upper.costs;
  const share = Math.log(perSecond / lower.perSecond) / Math.log(upper.perSecond / lower.perSecond);
  const between = (one: number, other: number): number => one + (other - one) * share;
  const { cpuMs: before, ...figures } = lower.costs;
  const { cpuMs: after, ...others } = upper.costs;
  const mix = <T extends object>(one: T, other: T): T =>
    Object.fromEntries(
      Object.entries(one).map(([name, value]) => [name, between(value as number, other[name as keyof T] as number)]),
    ) as T;
  return { ...mix(figures, others), cpuMs: mix(before, after) };
}

/** The machines that a demand needs. */
export function capacityFor(costs: Costs, demand: Demand, plan: Plan = usualPlan): Capacity {
  const { runsPerSecond: rate, providerSeconds, streams } = demand;
  const { utilisation } = plan;
  const points = costs.runs[demand.kind];
  const eventProcessors = (streams * demand.eventsPerStream * costs.streams.eventMs) / 1000;
  const fewest = (service: Service, least: number, more = 0): number => {
    let count = least;
    while ((rate / count) * costsAt(points, rate / count).cpuMs[service] > (utilisation - more / count) * 1000)
      count += 1;
    return count;
  };
  const processes = {
    'api-gateway': fewest('api-gateway', atLeast(2, streams / streamsPerGateway(costs, plan)), eventProcessors),
    'run-worker': fewest('run-worker', atLeast(2, workersFor(rate, providerSeconds, plan) / utilisation)),
    'webhook-dispatcher': fewest('webhook-dispatcher', 2),
  };
  // Statements are shared by the runs of one worker.
  const run = withRedisAtFullRate(costsAt(points, rate / processes['run-worker']), points);
  const limits = limitsOf(run, plan);
  const installations = atLeast(1, rate / (limits[0]?.runsPerSecond ?? rate));
  const busy = (name: Service | Store, count: number, { cpuMs } = run): number =>
    (rate * cpuMs[name]) / 1000 + costs.idleProcessors[name] * count;
  const ofService = (service: Service): number =>
    busy(service, processes[service], costsAt(points, rate / processes[service]));
  const processors = {
    'api-gateway': ofService('api-gateway') + eventProcessors,
    'run-worker': ofService('run-worker'),
    'webhook-dispatcher': ofService('webhook-dispatcher'),
    postgres: busy('postgres', installations),
    redis: busy('redis', installations),
  };
  const count = Object.values(processes).reduce((sum, each) => sum + each, 0);
  const storedGBPerDay = (rate * run.storedKB * 86_400) / 1e6;
  return {
    processes,
    processors,
    machineProcessors: Math.ceil(Object.values(processors).reduce((sum, each) => sum + each, 0) / utilisation),
    postgres: {
      connections: Math.ceil((count * plan.connections) / installations) + 20,
      storedGBPerDay,
      storedGB: storedGBPerDay * demand.retentionDays,
      walMBPerSecond: (rate * run.walKB) / 1000,
      commitsPerSecond: rate * run.commits,
    },
    redis: {
      commandsPerSecond: rate * run.redisCommands,
      memoryMB: (rate * plan.backlogSeconds * costs.waitingRunKB) / 1000,
    },
    networkMBPerSecond: (rate * run.networkKB) / 1000,
    installations,
    limits,
  };
}

/** Redis needs more time for a command when it waits between commands, which it does not at the rates that count. */
function withRedisAtFullRate(run: RunCosts, points: readonly CostPoint[]): RunCosts {
  const { cpuMs, redisCommands } = costsAt(points, Infinity);
  return { ...run, cpuMs: { ...run.cpuMs, redis: (run.redisCommands * cpuMs.redis) / redisCommands } };
}

/** The run-workers that are always busy at this rate. */
export const workersFor = (rate: number, providerSeconds: number, { runsAtOnce }: Pick<Plan, 'runsAtOnce'>): number =>
  (rate * providerSeconds) / runsAtOnce;

export const streamsPerGateway = ({ streams, memoryMB }: Costs, { gatewayMB }: Plan): number =>
  Math.floor(((gatewayMB - memoryMB['api-gateway'].loaded) / streams.memoryMB) * 1000);

/**
 * The rates at which one PostgreSQL and one Redis are used as far as the plan permits. Redis executes commands on one
 * processor.
 */
function limitsOf({ cpuMs, walKB }: RunCosts, plan: Plan): Capacity['limits'] {
  const { utilisation, postgresProcessors, walMBPerSecond } = plan;
  const limits: { resource: Resource; runsPerSecond: number }[] = [
    { resource: 'redis processor', runsPerSecond: (utilisation * 1000) / cpuMs.redis },
    { resource: 'postgres processors', runsPerSecond: (utilisation * postgresProcessors * 1000) / cpuMs.postgres },
    { resource: 'postgres disk', runsPerSecond: (walMBPerSecond * 1000) / walKB },
  ];
  return limits.sort((one, other) => one.runsPerSecond - other.runsPerSecond);
}

/**
 * The runs that workers complete a second while more runs wait than they execute at a time: their slots divided by the time
 * of a run, or fewer where the processors of the machine that all services and stores share do not suffice.
 */
export function predictedRate(
  costs: Costs,
  { kind, workers, runSeconds, processors }: { kind: RunKind; workers: number; runSeconds: number; processors: number },
  { runsAtOnce }: Pick<Plan, 'runsAtOnce'> = usualPlan,
): number {
  const bySlots = (workers * runsAtOnce) / runSeconds;
  const { cpuMs } = costsAt(costs.runs[kind], bySlots / workers);
  const all = Object.values(cpuMs).reduce((sum, each) => sum + each, 0);
  return Math.min(bySlots, (processors * 1000) / all);
}
