import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

// Makes bundle/, all that production runs: a file for each program, and chunks of what they share or load later. Node loads
// such a program in a third of the time that it takes for 3,000 modules. All files lie side by side, so that
// `import.meta.dirname` is the same wherever a module ends up.
const root = dirname(dirname(fileURLToPath(import.meta.url)));

const programs = {
  'api-gateway': 'apps/api-gateway/dist/main.js',
  'dry-run-tasks': 'libs/runs/dist/accept/dry-run-tasks.js',
  'expression-tasks': 'libs/workflows/dist/expression-tasks.js',
  'graph-tasks': 'libs/workflows/dist/graph-tasks.js',
  'isolated-run': 'apps/run-worker/dist/isolation/main.js',
  'lensforge-mcp': 'apps/mcp-gateway/dist/stdio.js',
  'mcp-gateway': 'apps/mcp-gateway/dist/main.js',
  oauth: 'apps/oauth/dist/main.js',
  operate: 'apps/operate/dist/main.js',
  'run-worker': 'apps/run-worker/dist/main.js',
  'sandbox-program': 'libs/sandbox/dist/sandbox-program.js',
  'template-tasks': 'libs/lenses/dist/template-tasks.js',
  'webhook-dispatcher': 'apps/webhook-dispatcher/dist/main.js',
};

/** Machine code; found in node_modules when it is needed. */
const native = ['@node-rs/argon2', 'msgpackr-extract'];

/** What packages of ours would use if it were installed. They shall go on finding that it is not. */
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

/** A stack trace names the lines that were written, not those that the compiler made of them. */
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

/** They would be most of each map, and Node reads all of a map when it loads the module. */
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
  // What Node itself would choose, not what packages offer to bundlers.
  resolve: { mainFields: ['main'] },
  external: [...native, ...absent],
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
