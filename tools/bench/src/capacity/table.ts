import type { Costs } from './costs.js';
import type { Capacity, Demand, Plan } from './model.js';
import { capacityFor, usualPlan } from './model.js';

const whole = (value: number): string => Math.ceil(value).toLocaleString('en-GB');

/** Two digits for small figures, whole ones for the others. */
const short = (value: number): string =>
  value === 0 || value >= 10 ? Math.round(value).toLocaleString('en-GB') : value.toPrecision(2).replace(/\.0$/, '');

const titleOf = ({ runsPerSecond, streams }: Demand): string => {
  const parts = [
    ...(runsPerSecond > 0 ? [`${runsPerSecond.toLocaleString('en-GB')} runs/s`] : []),
    ...(streams > 0 ? [`${streams.toLocaleString('en-GB')} streams`] : []),
  ];
  return parts.join(', ') || 'nothing';
};

const lines: readonly [string, (capacity: Capacity) => string][] = [
  ['api-gateway, processes', ({ processes }) => whole(processes['api-gateway'])],
  ['run-worker, processes', ({ processes }) => whole(processes['run-worker'])],
  ['webhook-dispatcher, processes', ({ processes }) => whole(processes['webhook-dispatcher'])],
  ['processors, all services and stores', ({ machineProcessors }) => whole(machineProcessors)],
  ['of them busy: gateways', ({ processors }) => short(processors['api-gateway'])],
  ['of them busy: run-workers', ({ processors }) => short(processors['run-worker'])],
  ['of them busy: PostgreSQL', ({ processors }) => short(processors.postgres)],
  ['of them busy: Redis', ({ processors }) => short(processors.redis)],
  ['PostgreSQL, connections of each', ({ postgres }) => whole(postgres.connections)],
  ['PostgreSQL, commits a second', ({ postgres }) => short(postgres.commitsPerSecond)],
  ['PostgreSQL, MB of WAL a second', ({ postgres }) => short(postgres.walMBPerSecond)],
  ['PostgreSQL, GB a day', ({ postgres }) => short(postgres.storedGBPerDay)],
  ['PostgreSQL, GB in all', ({ postgres }) => short(postgres.storedGB)],
  ['Redis, commands a second', ({ redis }) => short(redis.commandsPerSecond)],
  ['Redis, MB of a backlog', ({ redis }) => short(redis.memoryMB)],
  ['network, MB a second', ({ networkMBPerSecond }) => short(networkMBPerSecond)],
  ['installations', ({ installations }) => whole(installations)],
];

/** A Markdown table of what each demand needs. */
export function capacityTable(costs: Costs, demands: readonly Demand[], plan: Plan = usualPlan): string {
  const found = demands.map((demand) => capacityFor(costs, demand, plan));
  const rows = [['', ...demands.map(titleOf)], ...lines.map(([name, cell]) => [name, ...found.map(cell)])];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 3)) ?? [];
  const drawn = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [drawn[0], rule, ...drawn.slice(1)].join('\n');
}

/** The rates at which one PostgreSQL and one Redis are full, as a sentence. */
export const limitsSentence = ({ limits }: Capacity): string =>
  limits
    .map(({ resource, runsPerSecond }) => `${resource} ${Math.round(runsPerSecond).toLocaleString('en-GB')}`)
    .join(', ');
