import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// npm run pack:python [folder]: writes the wheel and the source archive of the SDK for Python to dist/python or a folder.
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = resolve(process.argv[2] ?? join(root, 'dist/python'));
const source = join(out, 'source');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// setuptools writes into the folder that it packs.
cpSync(join(root, 'sdk/python'), source, { recursive: true, filter: (path) => !path.endsWith('__pycache__') });
cpSync(join(root, 'LICENSE'), join(source, 'LICENSE'));
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
const pack = `from setuptools import build_meta as b; b.build_sdist(${JSON.stringify(out)}); b.build_wheel(${JSON.stringify(out)})`;
const { status, stderr } = spawnSync(python, ['-W', 'ignore', '-c', pack], { cwd: source, encoding: 'utf8' });
rmSync(source, { recursive: true, force: true });
if (status !== 0) {
  console.error(`${stderr}\nThis needs Python with the packages setuptools and wheel.`);
  process.exit(1);
}
