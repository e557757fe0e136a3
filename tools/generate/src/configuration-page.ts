import type { Shape } from '@lensforge/contracts';
import { PlatformEnvironment, RateEnvironment, risks } from '@lensforge/edge';
import { code, listMembers, table } from './markdown.js';
import { programsIn } from './programs.js';

const inCode = (value: unknown): string => code(typeof value === 'string' ? value : JSON.stringify(value));

const variables = (shape: Shape, known: ReadonlySet<string> = new Set()): string => {
  const rows = listMembers(shape).filter(({ name }) => !known.has(name));
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
  const common = new Set(listMembers(PlatformEnvironment).map(({ name }) => name));
  const shared = new Set(listMembers(RateEnvironment).map(({ name }) => name));
  const services = (await programsIn(apps)).filter(
    ({ module, environment }) =>
      module === 'environment' && listMembers(environment).some(({ name }) => !common.has(name)),
  );
  const counting = services.filter(({ environment }) => environment.prototype instanceof RateEnvironment);
  return `# Configuration

<!-- Written by \`npm run generate\` from the configuration classes of the services. -->

Services are configured by their environment alone. It is read once, at boot; whatever is wrong with it is reported in one
message, all faults at once, and the process ends with exit code 1. An empty value counts as none. \`npm start\` sets what the
services need, so nothing here has to be set for development.

Each value may stand in a file instead, as mounted secrets do: \`LENSFORGE_MASTER_KEY_FILE=/run/secrets/master-key\`.

A variable \`LENSFORGE_…\` that no service knows has no effect. Each service warns of it at its start, and names the setting that
is most like it.

## Risks

With \`NODE_ENV=production\` a service refuses to start with a risky setting, unless \`LENSFORGE_ACCEPT_RISKS\` names its risk, as in
\`LENSFORGE_ACCEPT_RISKS=plain-http,wide-egress\`. A risk that is accepted, also by default, is logged as a warning at every start. A Redis without a
password is a warning, too, and needs no name.

${riskTable}

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

const riskTable = table(
  ['Risk', 'Refused is'],
  Object.entries(risks).map(([name, what]) => [code(name), what]),
);

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
    ['`LENSFORGE_ALL_IN_ONE`', '`off`', '`on` or `off`', 'All services in one process.'],
    [
      '`LENSFORGE_SAMPLES`',
      '`on`',
      '`on` or `off`',
      'Whether the first start makes samples for the demo users: runs of a month, lenses, workflows, battles with votes, AI lensers, threads and a failing webhook endpoint.',
    ],
    ['`DATABASE_URL`', '', 'postgres://…', 'Takes the place of the embedded PostgreSQL.'],
    ['`REDIS_URL`', '', 'redis://…', 'Takes the place of the Redis or Valkey that is started otherwise.'],
  ],
);
