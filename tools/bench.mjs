import { NotReady, ready } from './ready.mjs';

// npm run bench [-- options]: builds what changed, then measures. Plain Node: this runs before an install.
try {
  await ready();
  await import('./bench/dist/main.js');
} catch (error) {
  process.stderr.write(`${error instanceof NotReady ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
