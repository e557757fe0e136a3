import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const git = (...args) => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
};

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const isNull = (id) => /^0+$/.test(id);

/** Files of the commits that git names on standard input: "<local ref> <local id> <remote ref> <remote id>" per line. */
const changedFiles = (input) => {
  const pushed = input.split('\n').map((line) => line.split(' '));
  const files = pushed
    .filter(([, local]) => local && !isNull(local))
    .flatMap(([, local, , remote]) => {
      const known = !isNull(remote) && git('cat-file', '-t', remote) === 'commit';
      const base = known ? remote : git('merge-base', local, 'origin/HEAD') || git('merge-base', local, 'origin/main');
      return git('diff', '--name-only', '--diff-filter=d', base || emptyTree, local).split('\n');
    });
  return [...new Set(files)].filter((file) => file && existsSync(join(root, file)));
};

const tool = (name, path, args) => {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', path), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) console.error(`pre-push: ${name} complains, nothing was pushed`);
  return status === 0;
};

const files = changedFiles(readFileSync(0, 'utf8'));
const code = files.filter((file) => /\.(tsx?|mjs|cjs|js)$/.test(file));
const passed =
  files.length === 0 ||
  !existsSync(join(root, 'node_modules')) ||
  [
    tool('oxfmt', 'oxfmt/bin/oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...files]),
    code.length === 0 || tool('oxlint', 'oxlint/bin/oxlint', ['-c', 'oxlint.config.mjs', ...code]),
    code.length === 0 || tool('tsc', '@typescript/native/bin/tsc', ['-p', '.']),
    code.length === 0 || tool('tsc', '@typescript/native/bin/tsc', ['-p', 'apps/console']),
  ].every(Boolean);
process.exit(passed ? 0 : 1);
