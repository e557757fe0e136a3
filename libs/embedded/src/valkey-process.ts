import { startPatchedValkey } from './patched-valkey.js';

/* A process of its own: the event loop of a client must not stand still while the server works, or the reverse. */
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
