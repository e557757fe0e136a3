import { NotReady, ready } from './ready.mjs';

// npm run capacity [-- options]: builds what changed, then computes. Plain Node: this runs before an install.
try {
  await ready();
  await import('./bench/dist/capacity/main.js');
} catch (error) {
  process.stderr.write(`${error instanceof NotReady ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
