import { parseArgs } from 'node:util';
import { stopChildren } from '../setup/child-program.js';
import { type RunKind, readCosts, runKinds, writeCosts } from './costs.js';
import { measureCosts } from './measure-costs.js';
import { usualDemands } from './demands.js';
import { type Demand, capacityFor, usualPlan } from './model.js';
import { capacityTable, limitsSentence } from './table.js';

const usage = `npm run capacity -- [options]: the machines that a load needs, from the measured costs of a run
  --runs <n>,…       runs a second (10,100,1000,10000)
  --kind <kind>      of ${runKinds.join(', ')} (lens); a workflow has ten nodes
  --seconds <n>      for which a run waits for its provider (2)
  --at-once <n>      runs that a run-worker executes at a time (${usualPlan.runsAtOnce}), LENSFORGE_RUN_CONCURRENCY
  --streams <n>      open event streams beside the runs (none, and 100000 without runs)
  --events <n>       events a second for each stream (0.2)
  --days <n>         for which runs are kept (30)
  --utilisation <n>  share of each processor that may be busy (${usualPlan.utilisation})
  --measure          measures the costs on this machine first, which takes two minutes
`;

class BadOption extends Error {}

function numbers(name: string, text: string): number[] {
  const found = text.split(',').map(Number);
  if (found.every((each) => Number.isFinite(each) && each >= 0)) return found;
  throw new BadOption(`--${name} must be a number that is not negative, not ${text}`);
}

const number = (name: string, text: string): number => numbers(name, text)[0] ?? 0;

function readOptions(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      args,
      options: {
        ...{
          runs: text,
          kind: text,
          seconds: text,
          streams: text,
          events: text,
          days: text,
          utilisation: text,
          'at-once': text,
        },
        ...{ measure: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
      },
    });
    return values;
  } catch (error) {
    throw new BadOption((error as Error).message);
  }
}

function demandsOf({ runs, kind, seconds, streams, events, days }: ReturnType<typeof readOptions>): Demand[] {
  if (kind !== undefined && !runKinds.some((known) => known === kind)) {
    throw new BadOption(`--kind must be one of ${runKinds.join(', ')}, not ${kind}`);
  }
  const more: Partial<Demand> = {
    ...(kind !== undefined && { kind: kind as RunKind }),
    ...(seconds !== undefined && { providerSeconds: number('seconds', seconds) }),
    ...(streams !== undefined && { streams: number('streams', streams) }),
    ...(events !== undefined && { eventsPerStream: number('events', events) }),
    ...(days !== undefined && { retentionDays: number('days', days) }),
  };
  const usual = usualDemands();
  if (runs === undefined && streams === undefined) return usual.map((demand) => ({ ...demand, ...more }));
  const [first] = usual as [Demand];
  const rates = runs === undefined ? [0] : numbers('runs', runs);
  return rates.map((runsPerSecond) => ({ ...first, ...more, runsPerSecond }));
}

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort());
const print = (line = ''): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(usage);
  const demands = demandsOf(options);
  const plan = { ...usualPlan };
  if (options.utilisation !== undefined) plan.utilisation = number('utilisation', options.utilisation);
  if (!(plan.utilisation > 0 && plan.utilisation <= 1))
    throw new BadOption('--utilisation must be above 0 and at most 1');
  if (options['at-once'] !== undefined) plan.runsAtOnce = number('at-once', options['at-once']);
  if (!(plan.runsAtOnce >= 1)) throw new BadOption('--at-once must be at least 1');
  if (options.measure) process.stderr.write(`${await writeCosts(await measureCosts(interruption.signal))}\n`);
  const costs = await readCosts();
  const { machine, measuredAt, servers } = costs;
  print(
    `costs of ${measuredAt}: ${machine['processor']}, ${machine['cores']} cores, Node ${machine['node']}; ${servers['postgres']}`,
  );
  print();
  print(capacityTable(costs, demands, plan));
  print();
  const [demand] = demands as [Demand];
  print(
    `One installation carries at most, in runs a second of the kind ${demand.kind}: ${limitsSentence(capacityFor(costs, demand, plan))}.`,
  );
}

try {
  await main();
} catch (error) {
  process.exitCode = interruption.signal.aborted ? 130 : error instanceof BadOption ? 2 : 1;
  const text =
    error instanceof BadOption ? `${error.message}\n\n${usage}` : String(error instanceof Error ? error.stack : error);
  if (!interruption.signal.aborted) process.stderr.write(`${text}\n`);
}
await stopChildren();
process.exit();
