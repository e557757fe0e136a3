import { runBench } from './bench.js';
import { BadOption, readOptions, usage } from './options.js';
import { stopChildren } from './setup/child-program.js';

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort());

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const reached = await runBench(options, interruption.signal);
  return options.check && !reached ? 1 : 0;
}

const plain = ['BadOption', 'StartupError', 'ServerFault'];

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = interruption.signal.aborted ? 130 : 1;
  const known = error instanceof Error && plain.includes(error.name);
  if (!interruption.signal.aborted) {
    process.stderr.write(`${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
    if (error instanceof BadOption) process.stderr.write(`\n${usage}\n`);
  }
}
await stopChildren();
process.exit();
