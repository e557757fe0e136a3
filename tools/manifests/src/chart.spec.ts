import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { buildYaml, hasKubectl, manifestsIn } from './build-overlay.js';
import { chart, hasHelm, refuseChart, renderChart } from './chart.js';
import { findFaults } from './check.js';
import { factsOfCode } from './code-facts.js';
import type { Facts } from './facts.js';
import { type Manifest, at, isMembers, membersAt, named, ofKind, textAt } from './manifest.js';
import { Schemas } from './schemas.js';
import { withoutHash } from './settings-of.js';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const withHelm = hasHelm() ? describe : describe.skip;
const withBoth = hasHelm() && hasKubectl() ? describe : describe.skip;
if (!hasHelm()) process.stderr.write('skipped: the Helm chart, as helm is not installed\n');

const namespace = parse(read('k8s/base/namespace.yaml')) as Manifest;
const schemas = Schemas.find();
/** The chart where the overlay `dev` has its trial. */
const trial = [
  '--set=secrets.create=true,stores.bundled=true,scaling.autoscalers=false,scaling.keda=false,ingress.enabled=false,smtpCidr=',
  ...['apiGateway', 'mcpGateway', 'oauth', 'runWorker', 'webhookDispatcher'].map(
    (service) => `--set=services.${service}.replicas=1`,
  ),
  '--set=settings.NODE_ENV=development',
  '--set=settings.LENSFORGE_PUBLIC_API_URL=http://localhost:4000',
  '--set=settings.LENSFORGE_PUBLIC_MCP_URL=http://localhost:4100',
  '--set=settings.LENSFORGE_PUBLIC_OAUTH_URL=http://localhost:4200',
  '--set=image.registry=lensforge,image.tag=dev',
];

let code: Omit<Facts, 'production'>;
beforeAll(async () => {
  code = await factsOfCode();
});

withHelm('the profile', () => {
  it.each([
    { profile: 'standard', production: true, values: ['images'] },
    { profile: 'large', production: true, values: ['large', 'images'] },
    { profile: 'small', production: false, values: ['small', 'images'] },
  ] as const)('$profile has no faults', ({ production, values }) => {
    const all = [namespace, ...renderChart({ values })];
    expect(findFaults(all, { ...code, production }, schemas)).toEqual([]);
  });

  it('has no faults with a fixed number of pods', () => {
    const more = ['--set=scaling.keda=false,scaling.autoscalers=false'];
    const all = [namespace, ...renderChart({ values: ['images'], more })];
    expect(ofKind(all, 'Deployment').map((each) => at(each, 'spec.replicas'))).toEqual([2, 2, 2, 2, 2]);
    const scaling = /has no (ScaledObject|HorizontalPodAutoscaler)$/;
    const faults = findFaults(all, { ...code, production: true }, schemas).filter((each) => !scaling.test(each));
    expect(faults).toEqual([]);
  });
});

const ownLabels = /^(app\.kubernetes\.io\/(managed-by|instance|part-of)|helm\.sh\/chart)$/;

/** Names without the hashes of Kustomize, and no members that only one of the two tools writes. */
function plain(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => plain(each));
  if (typeof value === 'string') return withoutHash(value);
  if (!isMembers(value)) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !(key === 'labels' && ownLabels.test(name)) && name !== 'checksum/settings',
  );
  const members = kept.map(([name, each]) => [name, plain(each, name)] as const);
  return Object.fromEntries(members.filter(([name, each]) => !(name === 'labels' && isEmpty(each))));
}

const isEmpty = (value: unknown): boolean => isMembers(value) && Object.keys(value).length === 0;

const byName = (all: readonly Manifest[]): Record<string, unknown> =>
  Object.fromEntries(
    all
      .filter(({ kind }) => kind !== 'Namespace')
      .map((each) => {
        const { kind, metadata } = plain(each) as Manifest;
        return [`${kind} ${metadata.name}`, plain(each)];
      }),
  );

withBoth('the chart and Kustomize', () => {
  it.each([
    { overlay: 'production', values: ['images'] },
    { overlay: 'high-availability', values: ['large', 'images'] },
  ] as const)('give the same objects as the overlay $overlay', ({ overlay, values }) => {
    expect(byName(renderChart({ values }))).toEqual(byName(manifestsIn(buildYaml(overlay))));
  });

  it('give the same objects as the overlay dev, but for what its Secrets have in them', () => {
    const [one, other] = [renderChart({ more: trial }), manifestsIn(buildYaml('dev'))].map((all) => {
      const objects = byName(all);
      for (const secret of ofKind(all, 'Secret')) {
        const name = `Secret ${withoutHash(secret.metadata.name)}`;
        objects[name] = Object.keys(membersAt(secret, 'data')).sort();
      }
      for (const each of Object.values(objects)) Reflect.deleteProperty(membersAt(each, 'spec'), 'replicas');
      return objects;
    });
    const { 'Secret lensforge-generated': generated, ...rest } = one ?? {};
    expect(generated).toEqual(['byokMasterKey', 'masterKey', 'ownerPassword', 'servicesPassword', 'valkeyPassword']);
    expect(rest).toEqual(other);
  });
});

withHelm('the chart', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'lensforge-chart-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it('has the version of the platform', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(parse(read('charts/lensforge/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  it.each(['small', 'large'])('passes helm lint with the profile %s', (profile) => {
    const args = ['lint', chart, '--strict', '--values', join(chart, 'values', `${profile}.yaml`)];
    expect(execFileSync('helm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })).toContain(
      '0 chart(s) failed',
    );
  });

  it('is the same from an archive, with alerts and dashboards', () => {
    execFileSync('helm', ['package', chart, '--destination', scratch], { stdio: 'ignore' });
    const [archive = ''] = readdirSync(scratch);
    const more = ['--set=monitoring.enabled=true'];
    const packed = renderChart({ more, from: join(scratch, archive) });
    expect(packed).toEqual(renderChart({ more }));
    const monitoring = 'k8s/components/monitoring';
    const expected = ['rules', 'service', 'service-monitor'].map(
      (file) => parse(read(monitoring, `${file}.yaml`)) as Manifest,
    );
    expect(byName(packed)).toMatchObject(byName(expected));
    for (const file of readdirSync(join(root, monitoring, 'dashboards')))
      expect(membersAt(named(packed, 'ConfigMap', 'dashboards'), 'data')[file]).toBe(
        read(monitoring, 'dashboards', file),
      );
  });

  it('migrates beside the services at the installation, and before them at an upgrade', () => {
    const [installed] = ofKind(renderChart(), 'Job');
    expect(installed?.metadata).toMatchObject({ name: 'migrate' });
    expect(installed?.metadata.annotations).toBeUndefined();
    const [upgraded] = ofKind(renderChart({ more: ['--is-upgrade'] }), 'Job');
    expect(upgraded?.metadata).toMatchObject({ annotations: { 'helm.sh/hook': 'pre-upgrade' } });
    expect(upgraded?.metadata.name).not.toBe('migrate');
  });

  it('restarts pods when a setting changes, and only then', () => {
    const checksums = (...more: string[]): string[] =>
      ofKind(renderChart({ more }), 'Deployment').map((each) =>
        String(membersAt(each, 'spec.template.metadata.annotations')['checksum/settings']),
      );
    const before = checksums();
    expect(checksums('--set=hosts.id=id.example.com')).toEqual(before);
    expect(checksums('--set=settings.LENSFORGE_LOG_LEVEL=warn').filter((each) => before.includes(each))).toEqual([]);
    const changed = checksums('--set=services.oauth.settings.LENSFORGE_LOG_LEVEL=warn');
    expect(changed.map((each, place) => each === before[place])).toEqual([true, true, false, true, true]);
  });

  it('writes large numbers in full and lets settings override its own', () => {
    const input = 'settings: { LENSFORGE_MAX_STREAMS: 12000000, LENSFORGE_TRUE: true, NODE_ENV: development }';
    expect(membersAt(named(renderChart({ input }), 'ConfigMap', 'settings'), 'data')).toMatchObject({
      LENSFORGE_MAX_STREAMS: '12000000',
      LENSFORGE_TRUE: 'true',
      NODE_ENV: 'development',
    });
  });

  it('gives each service the secrets that it needs and no other', () => {
    const all = renderChart({
      values: ['small'],
      more: ['--set=secrets.more.runWorker.LENSFORGE_OPENAI_API_KEY=sk-sample', '--set=secrets.masterKey=bWFzdGVy'],
    });
    const data = (name: string): Record<string, string> =>
      Object.fromEntries(
        Object.entries(membersAt(named(all, 'Secret', name), 'data')).map(([key, value]) => [
          key,
          Buffer.from(String(value), 'base64').toString(),
        ]),
      );
    const stores = ['DATABASE_URL', 'REDIS_URL'];
    const names = (name: string): string[] => Object.keys(data(name)).sort();
    expect(names('api-gateway')).toEqual(['DATABASE_URL', 'LENSFORGE_MASTER_KEY', 'REDIS_URL']);
    expect(names('mcp-gateway')).toEqual(stores);
    expect(names('oauth')).toEqual(names('api-gateway'));
    expect(names('webhook-dispatcher')).toEqual(names('api-gateway'));
    expect(names('run-worker')).toEqual([
      'DATABASE_URL',
      'LENSFORGE_BYOK_MASTER_KEY',
      'LENSFORGE_OPENAI_API_KEY',
      'REDIS_URL',
    ]);
    expect(names('migrate')).toEqual(['DATABASE_URL']);
    expect(data('oauth')['LENSFORGE_MASTER_KEY']).toBe('bWFzdGVy');
    expect(Buffer.from(data('run-worker')['LENSFORGE_BYOK_MASTER_KEY'] ?? '', 'base64')).toHaveLength(32);
    const [, password] =
      /lensforge_services:([A-Za-z0-9]{32})@postgres/.exec(data('mcp-gateway')['DATABASE_URL'] ?? '') ?? [];
    expect(data('postgres')['SERVICES_PASSWORD']).toBe(password);
    const kept = named(all, 'Secret', 'lensforge-generated');
    expect(kept?.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  });

  it('takes the values and the options that docs/deploy-helm.md shows', () => {
    const page = read('docs/deploy-helm.md');
    const [, input = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const policy = named(renderChart({ input }), 'NetworkPolicy', 'redis');
    expect(JSON.stringify(policy)).toContain('10.2.0.0/24');
    const options = [...page.matchAll(/--set (\S+)/g)].map(([, option = '']) => option);
    expect(options.length).toBeGreaterThan(2);
    renderChart({ values: ['small', 'images'], more: options.map((option) => `--set=${option}`) });
  });

  it('renders other objects with its values', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'more' },
      data: { host: '{{ .Values.hosts.api }}' },
    };
    const input = JSON.stringify({ extraObjects: [object] });
    expect(textAt(named(renderChart({ input }), 'ConfigMap', 'more'), 'data.host')).toBe('api.example.com');
  });

  it.each([
    { set: 'ingres.enabled=true', says: 'Additional property ingres is not allowed' },
    { set: 'services.runWorker.replica=3', says: 'Additional property replica is not allowed' },
    { set: 'gateway.enabled=true', says: 'ingress.enabled and gateway.enabled are both true' },
    { set: 'stores.bundled=true', says: 'scaling.keda needs external stores' },
    { set: 'services.oauth.replicas=9', says: 'services.oauth.replicas is above services.oauth.maxReplicas' },
    { set: 'image.digests.oauth=latest', says: 'image.digests.oauth' },
    { set: 'secrets.create=true', says: 'secrets.databaseUrl is needed' },
    { set: 'stores.postgres.cidr=db.example.com', says: 'stores.postgres.cidr' },
  ])('refuses $set', ({ set, says }) => {
    expect(refuseChart('--set', set)).toContain(says);
  });

  it('upgrades to Secrets of the chart when all keys are given', () => {
    const given = ['masterKey', 'byokMasterKey', 'databaseUrl', 'ownerDatabaseUrl', 'redisUrl'];
    const more = [
      '--is-upgrade',
      '--set=secrets.create=true',
      ...given.map((name) => `--set=secrets.${name}=of-${name}`),
    ];
    const data = membersAt(named(renderChart({ more }), 'Secret', 'oauth'), 'data');
    expect(Buffer.from(String(data['LENSFORGE_MASTER_KEY']), 'base64').toString()).toBe('of-masterKey');
    expect(refuseChart(...more.filter((each) => !each.includes('byok')))).toContain('lensforge-generated is missing');
  });

  it('refuses an upgrade that would replace lost keys', () => {
    expect(refuseChart('--is-upgrade', '--values', join(chart, 'values', 'small.yaml'))).toContain(
      'the Secret lensforge-generated is missing',
    );
  });
});

it('each value of the chart has a description, or is part of one that has', () => {
  const schema: unknown = JSON.parse(read('charts/lensforge/values.schema.json'));
  const undescribed = (value: unknown, path: string): string[] => {
    if (textAt(value, 'description') !== '') return [];
    const parts = Object.entries(membersAt(value, 'properties'));
    return parts.length === 0 ? [path] : parts.flatMap(([name, part]) => undescribed(part, `${path}.${name}`));
  };
  expect(undescribed(schema, 'values')).toEqual([]);
});
