import { NotReady, checkNode, install, runNx } from './ready.mjs';

// npm run check: guards, types, formatting and lint. Nx caches each result in .nx, by all that it depends on.
try {
  checkNode();
  await install();
  process.exitCode = await runNx(['run-many', '-t', 'guards,typecheck,format,lint', '--outputStyle=static']);
} catch (error) {
  process.stderr.write(`${error instanceof NotReady ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
