import { type Costs, type RunKind, runKinds, services, stores } from './costs.js';
import { type Capacity, type Demand, type Plan, capacityFor, usualPlan } from './model.js';

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
  return draw(rows);
}

const kindNames: Readonly<Record<RunKind, string>> = {
  lens: 'a lens',
  'lens-with-webhook': 'a lens with a webhook',
  workflow: 'a workflow of ten nodes',
};

/** A Markdown table of the costs of a run at each measured rate. */
export function costsTable({ runs }: Costs): string {
  const names = [...services, ...stores];
  const rows = runKinds.flatMap((kind) =>
    runs[kind].map(({ perSecond, costs: { cpuMs, commits, redisCommands, walKB } }) => [
      kindNames[kind],
      perSecond.toLocaleString('en-GB'),
      ...names.map((name) => cpuMs[name].toFixed(1)),
      names.reduce((sum, name) => sum + cpuMs[name], 0).toFixed(1),
      commits.toFixed(1),
      redisCommands.toFixed(0),
      walKB.toFixed(1),
    ]),
  );
  const head = ['Run', 'Runs/s', 'Gateway', 'Worker', 'Dispatcher', 'PostgreSQL', 'Redis', 'All, ms', 'Commits'];
  return draw([[...head, 'Redis commands', 'WAL, kB'], ...rows]);
}

/** A Markdown table; the first row is its head. */
function draw(rows: readonly (readonly string[])[]): string {
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
