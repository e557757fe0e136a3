import { close } from './checks/closing-line.mjs';
import { jestRound } from './checks/jest-round.mjs';
import { ready } from './ready.mjs';

// npm run faults [-- name of a file, or Jest option …]: the fault tests, hundreds of runs each, with real processes.
// With rolling-upgrade --from <tag or commit> the upgrade begins with that release, else with the last tag.
const args = process.argv.slice(2);
const option = args.indexOf('--from');
if (option >= 0) [, process.env.LENSFORGE_FAULTS_FROM] = args.splice(option, 2);

const sum = { passed: 0, skipped: 0, faults: [] };
try {
  await ready();
  Object.assign(sum, await jestRound(['faults'], ['--runInBand', ...args]));
} catch (error) {
  sum.faults.push(error instanceof Error ? error.message : String(error));
}
close(sum);
