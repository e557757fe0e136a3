import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root } from './checks/run.mjs';
import { openTestFolder } from './jest/test-folder.mjs';
import { install, ready } from './ready.mjs';

// npm run spec -- <file or folder> [Jest option …]: the tests of a file, from source, without lint, types or other checks.
const args = process.argv.slice(2);
if (!args.some((arg) => !arg.startsWith('-'))) {
  console.error('Name a test file or folder: npm run spec -- libs/core/src/paging.spec.ts');
  process.exit(1);
}
const project = ['journey', 'sample', 'faults'].find((name) => args.some((arg) => arg.endsWith(`.${name}.ts`)));
const projects = project ? [project] : ['near', 'services'];
// Journeys start services, which run as they are built.
await (project ? ready() : install());

// Jest takes every word after --selectProjects for a project, so paths come first; they are patterns of whole paths.
const paths = args.map((arg) =>
  arg.startsWith('-') ? arg : relative(root, resolve(process.env.INIT_CWD ?? '.', arg)),
);
/** A spec beside its source that imports no test helpers needs neither PostgreSQL nor Redis. */
const needsServers = (path) => {
  const file = join(root, path);
  return (
    path.includes('/test/') ||
    !existsSync(file) ||
    !statSync(file).isFile() ||
    /from '(@lensforge\/[a-z-/]*testing|\.[./a-z-]*\/testing\.js|\..*\/test\/|\.\/[a-z-/]*setup\.js)/.test(
      readFileSync(file, 'utf8'),
    )
  );
};
const withoutServers = paths.every((path) => path.startsWith('-') || !needsServers(path));

const folder = openTestFolder();
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/jest/bin/jest.js'), ...paths, '--selectProjects', ...projects],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      DATABASE_PATIENCE: '3',
      TEST_PATIENCE_SECONDS: process.env.TEST_PATIENCE_SECONDS ?? '60',
      TMPDIR: folder.path,
      ...(withoutServers && { LENSFORGE_TEST_WITHOUT_SERVERS: '1' }),
    },
  },
);
folder.remove();
process.exitCode = status ?? 1;
