import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { NotReady, checkNode, install, root } from './ready.mjs';

// npm run check: guards, types, formatting and lint. Nx caches each result in .nx, by all that it depends on.
try {
  checkNode();
  await install();
  const require = createRequire(import.meta.url);
  const nx = join(dirname(require.resolve('nx/package.json')), require('nx/package.json').bin.nx);
  const args = [nx, 'run-many', '-t', 'guards,typecheck,format,lint', '--outputStyle=static'];
  const env = { ...process.env, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_TUI: 'false' };
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status ?? 1;
} catch (error) {
  process.stderr.write(`${error instanceof NotReady ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
