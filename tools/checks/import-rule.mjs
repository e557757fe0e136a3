import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// The imports that a package may have: other packages by the table below, and libraries that its package.json lists.
const root = fileURLToPath(new URL('../../', import.meta.url));

const basics = ['scope:contracts', 'scope:core', 'scope:database'];

/** The packages that those with a tag may depend on. A package without a row may depend on nothing. */
const dependencies = {
  'scope:contracts': [],
  'scope:core': ['scope:contracts'],
  'scope:database': ['scope:contracts', 'scope:core', 'scope:testing'],
  'scope:sandbox': ['scope:core', 'scope:contracts'],
  'scope:queue': [...basics, 'scope:testing'],
  'scope:audit': [...basics, 'scope:testing'],
  'scope:identity': [...basics, 'scope:audit', 'scope:vault', 'scope:testing'],
  'scope:communities': [...basics, 'scope:identity', 'scope:audit', 'scope:testing'],
  'scope:credits': [...basics, 'scope:testing'],
  'scope:releases': [...basics, 'scope:audit', 'scope:testing'],
  'scope:lenses': [
    ...basics,
    'scope:releases',
    'scope:identity',
    'scope:audit',
    'scope:models',
    'scope:sandbox',
    'scope:testing',
  ],
  'scope:workflows': [
    ...basics,
    'scope:releases',
    'scope:lenses',
    'scope:identity',
    'scope:audit',
    'scope:sandbox',
    'scope:testing',
  ],
  'scope:byok': [...basics, 'scope:identity', 'scope:audit', 'scope:vault', 'scope:testing'],
  'scope:models': [...basics, 'scope:testing'],
  'scope:runs': [
    ...basics,
    'scope:releases',
    'scope:models',
    'scope:lenses',
    'scope:workflows',
    'scope:credits',
    'scope:sandbox',
    'scope:testing',
  ],
  'scope:judges': [...basics, 'scope:models', 'scope:sandbox', 'scope:testing'],
  'scope:battles': [
    ...basics,
    'scope:judges',
    'scope:identity',
    'scope:audit',
    'scope:models',
    'scope:lenses',
    'scope:workflows',
    'scope:runs',
    'scope:sandbox',
    'scope:testing',
  ],
  'scope:tools': [
    ...basics,
    'scope:evaluation',
    'scope:identity',
    'scope:lenses',
    'scope:workflows',
    'scope:runs',
    'scope:battles',
    'scope:agents',
    'scope:testing',
  ],
  'scope:agents': [
    ...basics,
    'scope:identity',
    'scope:audit',
    'scope:models',
    'scope:lenses',
    'scope:workflows',
    'scope:runs',
    'scope:battles',
    'scope:byok',
    'scope:vault',
    'scope:testing',
  ],
  'scope:evaluation': [
    ...basics,
    'scope:audit',
    'scope:byok',
    'scope:webhooks',
    'scope:vault',
    'scope:judges',
    'scope:identity',
    'scope:releases',
    'scope:lenses',
    'scope:workflows',
    'scope:runs',
    'scope:sandbox',
    'scope:credits',
    'scope:models',
    'scope:testing',
  ],
  'scope:threads': [
    ...basics,
    'scope:identity',
    'scope:audit',
    'scope:lenses',
    'scope:workflows',
    'scope:models',
    'scope:runs',
    'scope:battles',
    'scope:agents',
    'scope:testing',
  ],
  'scope:master-keys': [...basics, 'scope:vault', 'scope:testing'],
  'scope:partners': [...basics, 'scope:vault'],
  'scope:webhooks': [...basics, 'scope:audit', 'scope:vault', 'scope:testing'],
  'scope:edge': [...basics, 'scope:queue', 'scope:identity', 'scope:sandbox', 'scope:testing'],
  'scope:testing': ['scope:contracts', 'scope:core', 'scope:embedded'],
  'type:base': [],
  'type:app': [...basics, 'scope:queue', 'scope:edge', 'type:domain', 'scope:vault', 'scope:egress', 'scope:testing'],
  'scope:all-in-one': [
    'scope:edge',
    'scope:api-gateway',
    'scope:mcp-gateway',
    'scope:oauth',
    'scope:run-worker',
    'scope:webhook-dispatcher',
  ],
  'type:e2e': [
    ...basics,
    'scope:queue',
    'type:domain',
    'scope:vault',
    'scope:dev',
    'scope:embedded',
    'scope:manifests',
    'scope:sdk',
    'scope:ai-provider',
    'scope:testing',
  ],
  'scope:dev': [...basics, 'type:domain', 'scope:vault', 'scope:embedded'],
  'scope:bench': ['scope:contracts', 'scope:queue', 'scope:edge', 'scope:lenses', 'scope:dev', 'scope:testing'],
  'scope:generate': ['scope:contracts', 'scope:edge', 'scope:tools'],
  'scope:sdk': ['scope:contracts', 'scope:testing'],
  'scope:ai-provider': [],
  'scope:site': [],
  'scope:cli': ['scope:sdk'],
  'scope:console': ['scope:sdk'],
  'scope:manifests': ['scope:contracts', 'scope:edge', 'scope:database', 'scope:testing'],
};

/** Libraries that some layers must not import. */
const nest = { pattern: /^@nestjs\//, message: 'Nest stays in apps and libs/edge.' };
const queue = {
  pattern: /^(bullmq|ioredis)(\/|$)/,
  message: 'Redis and BullMQ stay in libs/queue and libs/edge: write an outbox row.',
};
const http = {
  pattern: /^(fastify|undici|axios)(\/|$)|^(node:)?https?2?$/,
  message: 'Domain libraries do not speak HTTP.',
};
const pure = ['type:domain', 'type:contracts', 'type:core', 'type:database'];
const edges = ['scope:edge', 'scope:queue'];

const test =
  /\.(spec|journey|sample|faults)\.ts$|\/testing\.ts$|^(apps|libs)\/[^/]+\/test\/|^apps\/e2e\/|^(libs\/testing|tools)\//;
const task = /-tasks\.ts$/;

const readPackage = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const namesIn = ({ dependencies, devDependencies, peerDependencies }) =>
  Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
const listedForAll = new Set(namesIn(readPackage(root)));

const packages = new Map();

/** The package in a folder; undefined without one. */
const packageIn = (folder) => {
  if (!packages.has(folder)) {
    const manifest = existsSync(join(folder, 'package.json')) ? readPackage(folder) : undefined;
    packages.set(
      folder,
      manifest && { name: manifest.name, tags: manifest.nx?.tags ?? [], listed: new Set(namesIn(manifest)) },
    );
  }
  return packages.get(folder);
};

const { workspaces } = readPackage(root);
const groups = workspaces.map((pattern) => pattern.replace('/*', ''));

/** The folder of each package by its name. */
const folders = new Map(
  groups
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
    .flatMap((folder) => (packageIn(folder) ? [[packageIn(folder).name, folder]] : [])),
);

const nameIn = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** True when each row for the tags of a package allows a tag of the other package, and there is a row. */
const mayDependOn = (tags, others) => {
  const rows = tags.map((tag) => dependencies[tag]).filter(Boolean);
  return rows.length > 0 && rows.every((allowed) => allowed.some((tag) => others.includes(tag)));
};

/** The fault of an import in a file; undefined without one. */
const findImportFault = (file, specifier) => {
  const path = relative(root, file);
  const folder = join(root, path.split('/').slice(0, 2).join('/'));
  const { name, tags, listed } = packageIn(folder) ?? {};
  if (!name) return undefined;
  if (specifier.startsWith('.')) {
    const isInside = resolve(dirname(file), specifier).startsWith(`${folder}/`);
    return isInside ? undefined : 'Import another package by its name, not by its path.';
  }
  const isPure = tags.some((tag) => pure.includes(tag));
  const isEdge = tags.some((tag) => edges.includes(tag));
  const closed = isPure ? [nest, queue, http] : path.startsWith('libs/') && !isEdge ? [nest] : [];
  const layer = closed.find(({ pattern }) => pattern.test(specifier));
  if (layer) return layer.message;
  if (isBuiltin(specifier)) return undefined;
  const target = nameIn(specifier);
  if (!folders.has(target)) {
    const isListed = [target, `@types/${target}`].some((one) => listed.has(one) || listedForAll.has(one));
    return isListed ? undefined : `List ${target} in the package.json of ${name}.`;
  }
  if (target === name) return 'Import files of the same package by their path.';
  if (!mayDependOn(tags, packageIn(folders.get(target)).tags)) {
    return `${name} may not depend on ${target}: see the table in tools/checks/import-rule.mjs.`;
  }
  const part = specifier.slice(target.length + 1);
  if (part && part !== 'testing' && part !== 'sandboxed') {
    return 'Import what the package exports, not the files inside it.';
  }
  if (test.test(path)) return undefined;
  if (part === 'testing' || target === '@lensforge/testing') return 'Builders and test servers are for tests.';
  if (part !== 'sandboxed' || task.test(path)) return undefined;
  return 'What users write is computed in the sandbox: call what the package exports, or write a task.';
};

/** A lint rule: refuses imports that the package of a file may not have. */
export const importRule = {
  meta: { type: 'problem', schema: [] },
  create: (context) => {
    const check = ({ source }) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const message = findImportFault(context.filename, source.value);
      if (message) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};
