#!/usr/bin/env node
import { existsSync } from 'node:fs';

const program = new URL('../../../bundle/lensforge-operate.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('lensforge-operate is not built: run "npm run build" in the repository first\n');
  process.exitCode = 1;
}
