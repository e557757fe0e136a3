import { NotReady, checkNode, install, runNx } from './ready.mjs';

// npm run check: the guards, then types, formatting and lint. Nx caches each result in .nx, by all that it depends on.
try {
  checkNode();
  await install();
  const guards = await runNx(['run', 'lensforge:guards', '--outputStyle=static']);
  const others = await runNx(['run-many', '-t', 'typecheck,format,declarations,lint', '--outputStyle=static']);
  process.exitCode = guards || others;
} catch (error) {
  process.stderr.write(`${error instanceof NotReady ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
