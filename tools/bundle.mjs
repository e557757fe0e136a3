import { cp, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { compressFolder } from './compress.mjs';
import { escapeCharacters } from './escape-characters.mjs';
import { buildSite } from './site/dist/build-site.js';

// Builds bundle/ for production: a file for each program, and chunks that programs share or load later. Node loads such a
// program in a third of the time of 3,000 modules. All files are in one folder, so that `import.meta.dirname` is the same
// for every module.
const root = dirname(dirname(fileURLToPath(import.meta.url)));

const programs = {
  'all-in-one': 'apps/all-in-one/dist/main.js',
  'api-gateway': 'apps/api-gateway/dist/main.js',
  'dry-run-tasks': 'libs/runs/dist/accept/dry-run-tasks.js',
  'expression-tasks': 'libs/workflows/dist/expression-tasks.js',
  'graph-tasks': 'libs/workflows/dist/graph-tasks.js',
  'isolated-run': 'apps/run-worker/dist/isolation/main.js',
  'analysis-tasks': 'libs/evaluation/dist/statistics/analysis-tasks.js',
  'check-tasks': 'libs/evaluation/dist/checks/check-tasks.js',
  'feature-tasks': 'libs/judges/dist/feature-tasks.js',
  'judging-tasks': 'libs/battles/dist/judging/judging-tasks.js',
  'lensforge-mcp': 'apps/mcp-gateway/dist/stdio.js',
  'mcp-gateway': 'apps/mcp-gateway/dist/main.js',
  oauth: 'apps/oauth/dist/main.js',
  'lensforge-operate': 'apps/operate/dist/main.js',
  'rating-tasks': 'libs/battles/dist/leaderboards/rating-tasks.js',
  'run-worker': 'apps/run-worker/dist/main.js',
  'sandbox-program': 'libs/sandbox/dist/sandbox-program.js',
  'template-tasks': 'libs/lenses/dist/template-tasks.js',
  'webhook-dispatcher': 'apps/webhook-dispatcher/dist/main.js',
};

/** Packages with native code; loaded from node_modules. */
const native = ['@node-rs/argon2', 'msgpackr-extract'];

/** Optional dependencies that are not installed and must stay absent. */
const absent = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nats-io/transport-node',
  '@nestjs/platform-express',
  '@nestjs/websockets/socket-module.js',
  'amqp-connection-manager',
  'class-transformer',
  'kafkajs',
  'mqtt',
];

/** True for the import of class-validator in Nest's ValidationPipe, which nothing here uses. */
const isUnusedPipe = (id, importer = '') => id === 'class-validator' && importer.includes('/node_modules/@nestjs/');

/** Source maps, so that stack traces name source lines. */
const mapsOfOurs = {
  name: 'maps of ours',
  load: {
    filter: { id: /[\\/](apps|libs)[\\/][^\\/]+[\\/]dist[\\/].*\.js$/ },
    async handler(path) {
      const [code, map] = await Promise.all([path, `${path}.map`].map((name) => readFile(name, 'utf8')));
      return { code, map: { ...JSON.parse(map), sourcesContent: undefined } };
    },
  },
};

/** Omits sources of packages, which are most of each map; Node reads the whole map when it loads the module. */
const noMapsOfPackages = {
  name: 'no maps of packages',
  transform: {
    filter: { id: /[\\/]node_modules[\\/]/ },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};

const bundle = await rolldown({
  cwd: root,
  input: programs,
  platform: 'node',
  // The export conditions of Node, not those for bundlers; of class-validator the modules of which unused ones can be omitted.
  resolve: { mainFields: ['main'], alias: { 'class-validator': 'class-validator/esm2015/index.js' } },
  external: (id, importer) => [...native, ...absent].includes(id) || isUnusedPipe(id, importer),
  plugins: [mapsOfOurs, noMapsOfPackages],
});
await bundle.write({
  dir: join(root, 'bundle'),
  cleanDir: true,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  keepNames: true,
  sourcemap: true,
});
await bundle.close();

// Read beside the programs, by their `import.meta.dirname`.
await cp(join(root, 'libs/identity/src/accounts/common-passwords.txt'), join(root, 'bundle/common-passwords.txt'));

// The command line is one file without chunks, so that it can be copied to a machine by itself.
const commandLine = await rolldown({
  cwd: root,
  input: { lensforge: 'apps/cli/dist/main.js' },
  platform: 'node',
  resolve: { mainFields: ['main'] },
  plugins: [mapsOfOurs],
});
await commandLine.write({
  dir: join(root, 'bundle'),
  format: 'esm',
  entryFileNames: '[name].js',
  codeSplitting: false,
  keepNames: true,
  sourcemap: true,
});
await commandLine.close();
await escapeCharacters(join(root, 'bundle'));

// What api-gateway serves to browsers: a folder for each part.
const publicFolder = join(root, 'bundle', 'public');
await buildSite(root, publicFolder);
await cp(join(root, 'apps/console/dist'), join(publicFolder, 'console'), { recursive: true });
await compressFolder(publicFolder);
