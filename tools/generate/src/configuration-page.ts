import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Shape } from '@lensforge/contracts';
import { PlatformEnvironment, RateEnvironment } from '@lensforge/edge';
import { code, membersOf, table } from './markdown.js';

interface Service {
  name: string;
  environment: Shape;
}

const isEnvironment = (value: unknown): value is Shape =>
  typeof value === 'function' && value.prototype instanceof PlatformEnvironment;

/** The built configuration class of each app that has one: apps export nothing, so it is taken from their dist folder. */
async function servicesIn(apps: string): Promise<Service[]> {
  const files = (await readdir(apps))
    .sort()
    .map((name) => ({ name, file: join(apps, name, 'dist', 'environment.js') }));
  const found = files
    .filter(({ file }) => existsSync(file))
    .map(async ({ name, file }) => {
      const exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
      return Object.values(exported)
        .filter(isEnvironment)
        .map((environment) => ({ name, environment }));
    });
  return (await Promise.all(found)).flat();
}

const inCode = (value: unknown): string => code(typeof value === 'string' ? value : JSON.stringify(value));

const variables = (shape: Shape, known: ReadonlySet<string> = new Set()): string => {
  const rows = membersOf(shape).filter(({ name }) => !known.has(name));
  return table(
    ['Name', 'Default', 'Value', 'What for'],
    rows.map(({ name, type, required, byDefault, description }) => [
      code(name),
      byDefault === undefined ? (required ? 'required' : '') : inCode(byDefault),
      type,
      description,
    ]),
  );
};

/** docs/configuration.md */
export async function configurationPage(apps: string): Promise<string> {
  const common = new Set(membersOf(PlatformEnvironment).map(({ name }) => name));
  const shared = new Set(membersOf(RateEnvironment).map(({ name }) => name));
  const services = (await servicesIn(apps)).filter(({ environment }) =>
    membersOf(environment).some(({ name }) => !common.has(name)),
  );
  const counting = services.filter(({ environment }) => environment.prototype instanceof RateEnvironment);
  return `# Configuration

<!-- Written by \`npm run generate\` from the configuration classes of the services. -->

Services are configured by their environment alone. It is read once, at boot; whatever is wrong with it is reported in one
message, all faults at once, and the process ends with exit code 1. An empty value counts as none. \`npm start\` sets what the
services need, so nothing here has to be set for development.

Each value may stand in a file instead, as mounted secrets do: \`LENSFORGE_MASTER_KEY_FILE=/run/secrets/master-key\`.

## Every service

${variables(PlatformEnvironment)}

## Rate limits

The same for ${counting.map(({ name }) => name).join(', ')}, which count together. [limits.md](limits.md) says what counts in which class.

${variables(RateEnvironment, common)}

${services.map(({ name, environment }) => `## ${name}\n\n${variables(environment, shared)}`).join('\n\n')}

## \`npm start\`

${launcher}
`;
}

const launcher = table(
  ['Name', 'Default', 'Value', 'What for'],
  [
    [
      '`LENSFORGE_PORT_BASE`',
      '`4000`',
      'integer',
      'The port of the API; the others follow at +100, +200, +300 and +400.',
    ],
    ['`LENSFORGE_HOME`', '`.lensforge`', 'folder', 'Where the data, the logs and `dev.json` are.'],
    [
      '`LENSFORGE_REPLICAS`',
      '',
      'such as `api-gateway=2,run-worker=3`',
      'Several of a kind, on the ports that follow.',
    ],
    ['`DATABASE_URL`', '', 'postgres://…', 'Takes the place of the embedded PostgreSQL.'],
    ['`REDIS_URL`', '', 'redis://…', 'Takes the place of the Redis or Valkey that is started otherwise.'],
  ],
);
