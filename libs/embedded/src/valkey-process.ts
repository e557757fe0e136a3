import { startPatchedValkey } from './patched-valkey.js';

/* Runs in its own process, so that server and client do not block each other's event loop. */
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => {});

try {
  await startPatchedValkey(Number(process.argv[2]));
  process.send?.('listening');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
