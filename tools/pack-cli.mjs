import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

// npm run pack:cli [folder]: writes the package of the command line, which `npm pack` and `npm publish` take, to dist/cli or
// a folder. Its name is that of the program, so that `npx lensforge` runs it.
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'apps/cli');
const out = resolve(process.argv[2] ?? join(root, 'dist/cli'));

rmSync(out, { recursive: true, force: true });
for (const [file, entry] of [
  ['lensforge.js', 'main.ts'],
  ['index.js', 'index.ts'],
]) {
  const bundle = await rolldown({
    input: join(source, 'src', entry),
    platform: 'node',
    resolve: { alias: { '@lensforge/sdk': join(root, 'libs/sdk/src/index.ts') } },
  });
  const banner = file === 'lensforge.js' ? '#!/usr/bin/env node' : '';
  await bundle.write({ file: join(out, file), format: 'esm', keepNames: true, codeSplitting: false, banner });
  await bundle.close();
}
chmodSync(join(out, 'lensforge.js'), 0o755);

// The declarations of what index.ts exports, without those of the modules behind it.
const declared = mkdtempSync(join(tmpdir(), 'lensforge-declarations-'));
const config = join(declared, 'tsconfig.json');
writeFileSync(
  config,
  JSON.stringify({
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: root,
      outDir: declared,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: [join(source, 'src/index.ts')],
  }),
);
const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', config], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

mkdirSync(out, { recursive: true });
const copied = new Set();
function copyDeclaration(name) {
  if (copied.has(name)) return;
  copied.add(name);
  const text = readFileSync(join(declared, 'apps/cli/src', `${name}.d.ts`), 'utf8');
  writeFileSync(join(out, `${name}.d.ts`), text.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
  for (const [, next] of text.matchAll(/from '\.\/([\w-]+)\.js'/g)) copyDeclaration(next);
}
copyDeclaration('index');
rmSync(declared, { recursive: true });

const { version, license } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
const manifest = {
  name: 'lensforge',
  version,
  license,
  description: 'The command line of Lensforge: runs lenses and workflows from a terminal, a script or CI',
  type: 'module',
  engines: { node: '>=20.19' },
  bin: { lensforge: 'lensforge.js', lf: 'lensforge.js' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  files: ['*.js', '*.d.ts'],
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
cpSync(join(root, 'docs/cli.md'), join(out, 'README.md'));
