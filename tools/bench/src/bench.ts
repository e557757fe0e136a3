import { join } from 'node:path';
import { measureAccepting, measureLatency } from './measure/accept.js';
import { measureAgents } from './measure/agents.js';
import { measureBattles } from './measure/battles.js';
import { measureCapacity } from './measure/capacity.js';
import { measureConsole } from './measure/console.js';
import { measureCredentials } from './measure/credentials.js';
import { measureDeliveries } from './measure/deliveries.js';
import { measureExperiments } from './measure/experiments.js';
import { measureFanOut } from './measure/fan-out.js';
import { measureFollowing } from './measure/follow.js';
import { measureFresh } from './measure/fresh.js';
import type { Measure } from './measure/part.js';
import { measurePeers } from './measure/peers.js';
import { measureTools } from './measure/tools.js';
import { measureCrowd } from './measure/crowd.js';
import { measureMix } from './measure/mix.js';
import { measureIncoming } from './measure/incoming.js';
import { measureLibrary } from './measure/library.js';
import { measureNodes } from './measure/nodes.js';
import { measureRender } from './measure/render.js';
import { measureRuns, measureWorkers } from './measure/run-through.js';
import { measureRatings } from './measure/ratings.js';
import { measureScaling } from './measure/scaling.js';
import { measureStock } from './measure/stock.js';
import { measureStored } from './measure/stored.js';
import type { Options, Part } from './options.js';
import { type Result, commitOf, loadNow, machine, writeResult } from './report/result.js';
import { type Judged, judge } from './report/row.js';
import { busyLines, table } from './report/table.js';
import { type BenchPlatform, openBenchPlatform } from './setup/bench-platform.js';

const maxWorkers = 4;

const root = join(import.meta.dirname, '..', '..', '..');

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (line = ''): void => void process.stdout.write(`${line}\n`);

/** The parts, in an order with few starts and stops of workers. */
function planOf(only: ReadonlySet<Part>, signal: AbortSignal): [string, Measure][] {
  const [memory, start] = [only.has('memory'), only.has('start')];
  const plan: [boolean, string, Measure][] = [
    [only.has('mix'), 'runs as users run them', measureMix(signal)],
    [only.has('peers'), 'other engines', measurePeers(signal)],
    [only.has('capacity'), 'the prediction of the capacity model', measureCapacity(signal)],
    [only.has('scaling'), 'ways past one installation', measureScaling(signal)],
    [only.has('accept'), 'accepting, closed loop', measureAccepting],
    [only.has('latency'), 'accepting at fixed arrival rates', measureLatency],
    [only.has('credentials'), 'requests with credentials', measureCredentials],
    [only.has('incoming'), 'incoming webhooks', measureIncoming],
    [only.has('deliveries'), 'webhook deliveries', measureDeliveries],
    [only.has('tools'), 'tool calls', measureTools],
    [only.has('fan-out'), 'events to many readers', measureFanOut],
    [only.has('sse'), 'following one run', measureFollowing],
    [only.has('crowd'), 'many readers of many runs', measureCrowd],
    [only.has('runs'), 'runs from end to end', measureRuns],
    [only.has('workers'), 'runs with more workers', measureWorkers],
    [only.has('nodes'), 'nodes of workflows', measureNodes],
    [only.has('agents'), 'steps of agents', measureAgents],
    [only.has('stored'), 'what a run leaves, and runs beside a million others', measureStored],
    [only.has('stock'), 'an installed PostgreSQL beside the embedded one', measureStock(signal)],
    [only.has('ratings'), 'leaderboards of a million votes', measureRatings],
    [only.has('experiments'), 'cells of experiments', measureExperiments],
    [only.has('battles'), 'battles: votes, reading and judgings', measureBattles],
    [memory || start, 'fresh processes: start-up and memory', measureFresh({ memory, start })],
    [only.has('render'), 'filling in templates', measureRender],
    [only.has('console'), 'the console in a browser', measureConsole],
    [only.has('library'), 'searching and listing a growing library', measureLibrary],
  ];
  return plan.flatMap(([wanted, title, measure]) => (wanted ? [[title, measure]] : []));
}

async function measureAll(setup: BenchPlatform, options: Options, signal: AbortSignal): Promise<Judged[]> {
  const rows: Judged[] = [];
  for (const [title, measure] of planOf(options.only, signal)) {
    signal.throwIfAborted();
    const since = performance.now();
    say(`measuring ${title} …`);
    rows.push(...(await measure(setup, options)).map(judge));
    say(`  ${((performance.now() - since) / 1000).toFixed(0)} s`);
  }
  return rows;
}

/** Starts a platform and its baseline, measures both and prints the results. */
export async function runBench(options: Options, signal: AbortSignal): Promise<boolean> {
  const before = loadNow();
  const begun = performance.now();
  say(`load average ${before}; starting a platform of its own`);
  const setup = await openBenchPlatform(
    signal,
    options.only.has('workers') || options.only.has('nodes') ? maxWorkers : 1,
  );
  try {
    for (const text of Object.values(setup.servers)) say(`using ${text}`);
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
      void setup.platform.givenUp.then(reject);
    });
    const rows = await Promise.race([measureAll(setup, options, signal), stopped]);
    const { rounds, seconds, runs } = options;
    const result: Result = {
      takenAt: new Date().toISOString(),
      commit: commitOf(root),
      machine: machine(),
      servers: setup.servers,
      options: { rounds, seconds, runs, only: [...options.only].join(',') },
      load: { before, after: loadNow() },
      seconds: Math.round((performance.now() - begun) / 1000),
      rows,
    };
    await show(result, options);
    return rows.every(({ reached }) => reached !== false);
  } finally {
    await setup.close();
  }
}

async function show(result: Result, { out }: Options): Promise<void> {
  const { rows, servers, machine, load, takenAt, options, seconds } = result;
  const file = out ?? join(root, '.lensforge', 'bench', `${takenAt.replace(/[:.]/g, '-')}.json`);
  print();
  print(`${takenAt}, ${machine['cores']} cores (${machine['processor']}), Node ${machine['node']}`);
  print(`${servers['postgres']}; ${servers['redis']}`);
  print(`medians of ${options['rounds']} alternating rounds; load average ${load.before} before, ${load.after} after`);
  print();
  print(table(rows));
  const busy = busyLines(rows);
  if (busy.length > 0) print(`\nLoad of the processes, in shares of one core\n${busy.join('\n')}`);
  await writeResult(file, result);
  print(`\n${seconds} s; all rounds are in ${file}`);
}
