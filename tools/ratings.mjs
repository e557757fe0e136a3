import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { NotReady, ready } from './ready.mjs';

// npm run ratings -- <file>: computes a leaderboard from a downloaded vote log, as the platform does.
const usage = `npm run ratings -- <file> [options]      - for the standard input
  --ridge <n>        the weight of the prior (0.25)
  --bootstraps <n>   resamples for the intervals (200)
  --seed <n>         their seed (1)`;

class BadOption extends Error {
  name = 'BadOption';
}

function read() {
  try {
    const options = Object.fromEntries(['ridge', 'bootstraps', 'seed'].map((name) => [name, { type: 'string' }]));
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    if (positionals.length !== 1) throw new BadOption('Name one file');
    const numbers = Object.entries(values).map(([name, value]) => [name, Number(value)]);
    return { file: positionals[0], options: Object.fromEntries(numbers) };
  } catch (error) {
    throw new BadOption(`${error.message}\n\n${usage}`);
  }
}

try {
  const { file, options } = read();
  await ready();
  const { leaderboardOfLog } = await import('@lensforge/battles');
  const input = file === '-' ? process.stdin : createReadStream(file);
  const lines = createInterface({ input, crlfDelay: Infinity });
  const failed = new Promise((_, reject) => input.once('error', reject));
  const leaderboard = await Promise.race([leaderboardOfLog(lines, options), failed]);
  process.stdout.write(`${JSON.stringify(leaderboard, null, 2)}\n`);
} catch (error) {
  const plain =
    [NotReady, BadOption, RangeError, SyntaxError].some((kind) => error instanceof kind) || error.code === 'ENOENT';
  process.stderr.write(`${plain ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
