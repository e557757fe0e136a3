import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { version } from '../src/version.js';

const root = join(import.meta.dirname, '../../..');
let folder: string;
let project: string;
let tarball: string;

const run = (program: string, args: readonly string[], cwd = project): string =>
  execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
    shell: process.platform === 'win32' && program !== process.execPath,
    env: { ...process.env, NODE_OPTIONS: '', LENSFORGE_CONFIG_DIR: folder },
  });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lensforge-package-'));
  project = join(folder, 'project');
  mkdirSync(project);
  run(process.execPath, [join(root, 'tools/pack-cli.mjs'), join(folder, 'packed')]);
  tarball = join(folder, run('npm', ['pack', './packed', '--silent'], folder).trim());
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  run('npm', ['install', tarball, '--offline', '--no-audit', '--no-fund', '--silent']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed command line', () => {
  it('has no dependencies and only its own files', () => {
    const installed = join(project, 'node_modules/lensforge');
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ name: 'lensforge', version });
    expect(manifest).not.toHaveProperty('dependencies');
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['lensforge']);
    const files = readdirSync(installed).filter((name) => !name.endsWith('.d.ts'));
    expect(files.sort()).toEqual(['LICENSE', 'README.md', 'index.js', 'lensforge.js', 'package.json']);
  });

  it.each(['lensforge', 'lf'])('is run by npx %s in a project that has it', (name) => {
    expect(run('npx', ['--no-install', name, '--version'])).toBe(`${version}\n`);
    expect(run('npx', ['--no-install', name, 'help'])).toContain('lensforge lens run <id>');
  });

  it('is run by npx in an empty folder', () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const args = ['--yes', '--offline', `--package=${tarball}`, '--', 'lensforge', '--version'];
    expect(run('npx', args, empty)).toBe(`${version}\n`);
  });

  it('can be imported, with types that tsc --strict accepts', () => {
    const text = (code: string): string => `import { exitCodes, runCli } from 'lensforge';
import type { Host } from 'lensforge';
let text = '';
const host: Host = {
  env: {}, stdin: (async function* () {})(), stdout: { write: (part) => (text += part) }, stderr: { write: () => true },
  signal: new AbortController().signal, openBrowser: () => undefined, edit: async (given) => given,
};
const code: number = await runCli(${code}, host);
console.log(code === exitCodes.ok, text.trim());
`;
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom'];
    const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
    writeFileSync(join(project, 'right.ts'), text("['--version']"));
    writeFileSync(join(project, 'wrong.ts'), text("'--version'"));
    expect(run(process.execPath, [tsc, ...options, '--types', '', 'right.ts'])).toBe('');
    expect(() => run(process.execPath, [tsc, ...options, '--types', '', 'wrong.ts'])).toThrow();
    const plain = text("['--version']")
      .replace(/^import type.*$/m, '')
      .replace(': Host', '')
      .replace(': number', '');
    writeFileSync(join(project, 'right.mjs'), plain);
    expect(run(process.execPath, ['right.mjs'])).toBe(`true ${version}\n`);
  });
});
