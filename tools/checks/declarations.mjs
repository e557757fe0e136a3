import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Writes the declarations of a package to .nx/declarations. Lint reads the types of other packages; Nx caches its result
// by their declarations, so that a change inside a function does not lint the packages above again.
const root = fileURLToPath(new URL('../../', import.meta.url));
const [folder] = process.argv.slice(2);
const out = join(root, '.nx/declarations', folder);
const config = {
  extends: '../../../../tsconfig.base.json',
  compilerOptions: {
    noEmit: false,
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: `../../../../${folder}/src`,
    outDir: '.',
  },
  include: [`../../../../${folder}/src`],
  exclude: ['../../../../**/*.spec.ts'],
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'tsconfig.json'), JSON.stringify(config));
const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', out], { stdio: 'inherit' });
process.exitCode = status ?? 1;
