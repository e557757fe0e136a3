import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { transformFile } from '@swc/core';

// node tools/compile.mjs <folder>: compiles <folder>/src to <folder>/dist, without tests.
const root = dirname(import.meta.dirname);
const configFile = join(root, '.swcrc');

const compileFile = async (source, target) => {
  await mkdir(dirname(target), { recursive: true });
  if (!source.endsWith('.ts')) return copyFile(source, target);
  const script = target.replace(/\.ts$/, '.js');
  const sourceFileName = relative(dirname(script), source);
  const { code, map } = await transformFile(source, { configFile, sourceFileName });
  const name = script.slice(dirname(script).length + 1);
  await writeFile(script, `${code}\n//# sourceMappingURL=${name}.map`);
  await writeFile(`${script}.map`, map);
};

/** Compiles a package; the compiler uses all processors by itself. */
export const compile = async (folder) => {
  const [from, to] = ['src', 'dist'].map((name) => join(folder, name));
  await rm(to, { recursive: true, force: true });
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'))
    .map((entry) => relative(from, join(entry.parentPath ?? entry.path, entry.name)));
  await Promise.all(files.map((file) => compileFile(join(from, file), join(to, file))));
};

if (process.argv[1] === import.meta.filename) await compile(resolve(process.argv[2]));
