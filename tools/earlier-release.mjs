import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checks/run.mjs';

// Builds an earlier commit into .nx/releases, for tests that run its programs beside those of this checkout.
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The newest tag before this commit; undefined in a clone without tags. */
export const previousRelease = () => {
  try {
    return git('describe', '--tags', '--abbrev=0', 'HEAD^');
  } catch {
    return undefined;
  }
};

/**
 * Builds a commit, once, from its own lock file.
 *
 * @param {string} from a tag or commit
 * @returns {string} the folder
 */
export const buildRelease = (from) => {
  const commit = git('rev-parse', '--verify', `${from}^{commit}`);
  const folder = join(root, '.nx', 'releases', commit);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', unfinished], { input: archive });
  const env = { ...process.env, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_TUI: 'false' };
  for (const args of [
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    ['run', 'build'],
  ]) {
    execFileSync('npm', args, { cwd: unfinished, stdio: ['ignore', 2, 2], env, shell: process.platform === 'win32' });
  }
  renameSync(unfinished, folder);
  return folder;
};

// node tools/earlier-release.mjs [--name] [tag or commit]: prints the folder of the build, or with --name what would be built.
if (process.argv[1] === import.meta.filename) {
  const from = process.argv.slice(2).find((arg) => arg !== '--name') ?? previousRelease();
  if (from !== undefined) console.log(process.argv.includes('--name') ? from : buildRelease(from));
}
