import { type Facts, toProgram } from '../facts.js';
import {
  type Manifest,
  type Workload,
  at,
  listAt,
  membersAt,
  toManifestName,
  named,
  ofKind,
  textAt,
  listWorkloads,
} from '../manifest.js';
import { plainSettings, secretSettings, withoutHash } from '../settings-of.js';

const secretName = /(_KEY|SECRET|TOKEN|PASSWORD|PASSPHRASE|^DATABASE_URL|^REDIS_URL|SMTP_URL)$/;
const credentials = /^[a-z]+:\/\/[^/@\s]*:[^/@\s]+@/;
/** Settings of Node and of the images of stores. */
const foreign = /^(NODE_OPTIONS|POSTGRES_|SERVICES_PASSWORD)/;

/** Settings that exist, each where it belongs; secrets in Secrets, one for each service. */
export const settingRules = (all: readonly Manifest[], facts: Facts): string[] => [
  ...listWorkloads(all).flatMap((workload) => [
    ...referenceFaults(all, workload, facts),
    ...settingFaults(all, workload, facts),
  ]),
  ...ofKind(all, 'ConfigMap').flatMap((each) =>
    Object.entries(membersAt(each, 'data'))
      .filter(([name, value]) => isSecret(name, String(value)))
      .map(([name]) => `${toManifestName(each)}: ${name} is a secret`),
  ),
  ...(facts.production
    ? ofKind(all, 'Secret').map((each) => `${toManifestName(each)}: a Secret is part of the manifests`)
    : []),
];

const isSecret = (name: string, value: string): boolean => secretName.test(name) || credentials.test(value);

/** Names of ConfigMaps and Secrets: they exist, and no service reads the Secret of another one. */
function referenceFaults(
  all: readonly Manifest[],
  { name, app, containers, pod }: Workload,
  { production }: Facts,
): string[] {
  const sources = containers.flatMap((container) => [
    ...listAt(container, 'envFrom'),
    ...listAt(container, 'env').map((each) => ({
      configMapRef: at(each, 'valueFrom.configMapKeyRef'),
      secretRef: at(each, 'valueFrom.secretKeyRef'),
    })),
  ]);
  const volumes = listAt(pod, 'volumes');
  const maps = [
    ...sources.map((each) => textAt(each, 'configMapRef.name')),
    ...volumes.map((each) => textAt(each, 'configMap.name')),
  ];
  const secrets = [
    ...sources.map((each) => textAt(each, 'secretRef.name')),
    ...volumes.map((each) => textAt(each, 'secret.secretName')),
  ];
  return [
    ...maps
      .filter((each) => each !== '' && !named(all, 'ConfigMap', each))
      .map((each) => `the ConfigMap ${each} does not exist`),
    ...secrets
      .filter((each) => each !== '' && withoutHash(each) !== app)
      .map((each) => `it reads the Secret ${each}, which is not its own`),
    ...(secrets.some((each) => each !== '') ? [] : ['it has no Secret']),
    ...secrets
      .filter((each) => !production && each !== '' && !named(all, 'Secret', each))
      .map((each) => `the Secret ${each} does not exist`),
  ].map((fault) => `${name}: ${fault}`);
}

function settingFaults(all: readonly Manifest[], workload: Workload, facts: Facts): string[] {
  const { name, app, containers } = workload;
  const plain = plainSettings(all, workload);
  const secret = secretSettings(all, workload);
  const program = toProgram(app);
  const settings = facts.settings.get(program);
  const inPlace = containers.flatMap((container) =>
    listAt(container, 'env').filter(
      (each) => isSecret(textAt(each, 'name'), textAt(each, 'value')) && textAt(each, 'value') !== '',
    ),
  );
  const faults = inPlace.map((each) => `${textAt(each, 'name')} is a secret in plain sight`);
  if (settings) {
    const given = { ...(facts.production ? sampleSecrets(settings.required) : {}), ...plain, ...secret };
    const unknown = Object.keys({ ...plain, ...secret }).filter(
      (each) => !settings.known.has(each) && !foreign.test(each),
    );
    const missing = [...settings.required].filter((each) => given[each] === undefined);
    const invalid = facts.faultOfEnvironment(program, given);
    faults.push(
      ...unknown.map((each) => `${each} is not a setting of ${program}`),
      ...missing.map((each) => `${each} is missing`),
      ...(invalid === undefined ? [] : [invalid]),
    );
  }
  return faults.map((fault) => `${name}: ${fault}`);
}

/** Values for the Secrets of production, which are not in the repository. */
function sampleSecrets(required: ReadonlySet<string>): Record<string, string> {
  const samples = {
    DATABASE_URL: 'postgres://lensforge_services:c0Rg2bTq7w@db.example.com:5432/lensforge',
    REDIS_URL: 'rediss://lensforge:c0Rg2bTq7w@redis.example.com:6379',
    LENSFORGE_MASTER_KEY: Buffer.from('k8Qz3vLx0pWm5nYt2rBc7dHf4gJs9aUe').toString('base64'),
  };
  return Object.fromEntries(Object.entries(samples).filter(([name]) => required.has(name)));
}
