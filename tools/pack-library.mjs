import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

// npm run pack:sdk or pack:ai-provider [folder]: writes the package of a library, which `npm pack` and `npm publish` take, to dist or a folder.
const libraries = {
  sdk: { description: 'The typed client of the Lensforge REST API', readme: 'docs/sdk.md' },
  'ai-provider': {
    description: 'Lenses, workflows and AI lensers of Lensforge in the AI SDK',
    readme: 'libs/ai-provider/README.md',
  },
};
const [library = 'sdk', folder] = process.argv.slice(2);
const { description, readme } = libraries[library];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'libs', library);
const out = resolve(folder ?? join(root, 'dist', library));
const { name, version, license, dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));

rmSync(out, { recursive: true, force: true });
const external = Object.keys(dependencies ?? {});
const bundle = await rolldown({ input: join(source, 'src/index.ts'), platform: 'neutral', external });
for (const [folder, format] of [
  ['esm', 'esm'],
  ['cjs', 'cjs'],
]) {
  await bundle.write({ file: join(out, folder, 'index.js'), format, keepNames: true });
}
await bundle.close();

const declarations = {
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(source, 'src'),
    outDir: join(out, 'esm'),
    typeRoots: [join(root, 'node_modules/@types')],
  },
  files: [join(source, 'src/index.ts')],
};
const config = join(out, 'tsconfig.json');
writeFileSync(config, JSON.stringify(declarations));
const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', config], { stdio: 'inherit' });
rmSync(config);
if (status !== 0) process.exit(status ?? 1);

mkdirSync(join(out, 'cjs'), { recursive: true });
cpSync(join(out, 'esm'), join(out, 'cjs'), { recursive: true, filter: (path) => !path.endsWith('.js') });
writeFileSync(join(out, 'cjs/package.json'), '{ "type": "commonjs" }\n');

const entry = (folder) => ({ types: `./${folder}/index.d.ts`, default: `./${folder}/index.js` });
const manifest = {
  name,
  version,
  license,
  description,
  type: 'module',
  engines: { node: '>=20' },
  sideEffects: false,
  main: './cjs/index.js',
  module: './esm/index.js',
  types: './esm/index.d.ts',
  exports: { '.': { import: entry('esm'), require: entry('cjs') } },
  files: ['esm', 'cjs'],
  ...(dependencies && { dependencies }),
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
for (const file of ['LICENSE', readme]) {
  cpSync(join(root, file), join(out, file === 'LICENSE' ? file : 'README.md'), { force: true });
}
