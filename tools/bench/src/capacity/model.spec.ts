import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type CostPoint, type Costs, type RunCosts, readCosts } from './costs.js';
import { usualDemands } from './demands.js';
import { capacityFor, costsAt, predictedRate, usualPlan } from './model.js';
import { capacityTable, costsTable, limitsSentence } from './table.js';

const cost = (factor: number): RunCosts => ({
  cpuMs: {
    'api-gateway': factor,
    'run-worker': factor,
    'webhook-dispatcher': 0,
    postgres: 2 * factor,
    redis: factor / 2,
  },
  rows: 7,
  storedKB: 3,
  walKB: 5,
  commits: factor,
  redisCommands: 40,
  redisKB: 4,
  networkKB: 8,
});
const points: CostPoint[] = [
  { perSecond: 10, costs: cost(4) },
  { perSecond: 1000, costs: cost(1) },
];
const costs: Costs = {
  measuredAt: '2026-01-01',
  machine: {},
  servers: {},
  runs: { lens: points, 'lens-with-webhook': points, workflow: points },
  idleProcessors: { 'api-gateway': 0, 'run-worker': 0, 'webhook-dispatcher': 0, postgres: 0, redis: 0 },
  streams: { memoryMB: 26, eventMs: 0.1 },
  loneRunMs: 10,
  waitingRunKB: 1,
  memoryMB: {
    'api-gateway': { idle: 120, loaded: 252 },
    'run-worker': { idle: 120, loaded: 250 },
    'webhook-dispatcher': { idle: 120, loaded: 200 },
  },
};
const demand = {
  kind: 'lens',
  runsPerSecond: 0,
  providerSeconds: 2,
  streams: 0,
  eventsPerStream: 0.2,
  retentionDays: 30,
} as const;

describe('the capacity model', () => {
  it('interpolates the costs between measured rates, and extrapolates to none beyond them', () => {
    expect(costsAt(points, 1).cpuMs.postgres).toBe(8);
    expect(costsAt(points, 100).cpuMs.postgres).toBeCloseTo(5);
    expect(costsAt(points, 5000).cpuMs.postgres).toBe(2);
  });

  it('has as many run-workers as the waiting runs need, with a reserve', () => {
    const { processes } = capacityFor(costs, { ...demand, runsPerSecond: 300 });
    expect(processes['run-worker']).toBe(Math.ceil((300 * 2) / 60 / 0.6));
    const wide = capacityFor(costs, { ...demand, runsPerSecond: 300 }, { ...usualPlan, runsAtOnce: 600 });
    expect(wide.processes['run-worker']).toBeLessThan(processes['run-worker']);
    // Fewer workers share more statements.
    expect(wide.processors.postgres).toBeLessThan(
      capacityFor(costs, { ...demand, runsPerSecond: 300 }).processors.postgres,
    );
  });

  it('divides the accounts among installations when one Redis or PostgreSQL is full', () => {
    const few = capacityFor(costs, { ...demand, runsPerSecond: 100 });
    expect(few.installations).toBe(1);
    expect(few.limits[0]).toEqual({ resource: 'redis processor', runsPerSecond: 1200 });
    expect(capacityFor(costs, { ...demand, runsPerSecond: 10_000 }).installations).toBe(9);
  });

  it('has as many gateways as the memory of streams needs', () => {
    const { processes } = capacityFor(costs, { ...demand, streams: 100_000, eventsPerStream: 0 });
    expect(processes['api-gateway']).toBe(10);
    const busy = capacityFor(costs, { ...demand, streams: 100_000, eventsPerStream: 2 });
    expect(busy.processors['api-gateway']).toBeCloseTo(20);
    expect(busy.processes['api-gateway']).toBe(34);
  });

  it('predicts the rate of workers by their slots, or by the processors when they are fewer', () => {
    const load = { kind: 'lens', runSeconds: 2, processors: 2 } as const;
    expect(predictedRate(costs, { ...load, workers: 2 })).toBe(60);
    const { cpuMs } = costsAt(points, 30);
    const all = Object.values(cpuMs).reduce((sum, each) => sum + each);
    expect(predictedRate(costs, { ...load, workers: 20 })).toBeCloseTo(2000 / all);
  });
});

describe('docs/scaling.md', () => {
  it('has the measured costs, and the table and the limits that follow', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../../docs/scaling.md'), 'utf8');
    const measured = await readCosts();
    const demands = usualDemands();
    expect(page).toContain(capacityTable(measured, demands));
    expect(page).toContain(costsTable(measured));
    const [first] = demands as [(typeof demands)[number]];
    expect(page).toContain(limitsSentence(capacityFor(measured, first)));
  });
});
