import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { factsOfCode } from './code-facts.js';
import { type Facts, toProgram, services } from './facts.js';
import { listAt, membersAt, numberAt, textAt, textsAt } from './manifest.js';

const docker = join(import.meta.dirname, '..', '..', '..', 'docker');
const compose: unknown = parse(readFileSync(join(docker, 'compose.yaml'), 'utf8'), { merge: true });
const service = (name: string): unknown => membersAt(compose, 'services')[name];
const ours = [...services, 'operate', 'migrate'];

let code: Omit<Facts, 'production'>;
let secrets: string;
const generate = (): void => void execFileSync(process.execPath, [join(docker, 'first-start.mjs'), secrets]);
beforeAll(async () => {
  code = await factsOfCode();
  secrets = mkdtempSync(join(tmpdir(), 'lensforge-secrets-'));
  generate();
});
afterAll(() => rmSync(secrets, { recursive: true, force: true }));

/** The environment of a service, with the defaults of its variables. */
const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(membersAt(service(name), 'environment')).map(([setting, value]) => [
      setting,
      String(value).replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
    ]),
  );

const fileIn = (name: string, path: string): string => join(secrets, name, basename(path));

describe.each(ours)('%s in docker/compose.yaml', (name) => {
  it('starts with its settings', () => {
    const program = toProgram(name);
    const environment = environmentOf(name);
    const settings = Object.keys(environment).map((setting) => setting.replace(/_FILE$/, ''));
    expect(settings.filter((each) => each !== 'NODE_OPTIONS' && !code.settings.get(program)?.known.has(each))).toEqual(
      [],
    );
    const withFiles = Object.entries(environment).map(([setting, value]) => [
      setting,
      setting.endsWith('_FILE') ? fileIn(name, value) : value,
    ]);
    expect(code.faultOfEnvironment(program, Object.fromEntries(withFiles) as Record<string, string>)).toBeUndefined();
  });

  it('has the secrets that it reads, and no other ones', () => {
    const read = Object.entries(environmentOf(name)).filter(([setting]) => setting.endsWith('_FILE'));
    expect(read.map(([, path]) => basename(path)).sort()).toEqual(readdirSync(join(secrets, name)).sort());
    expect(textsAt(service(name), 'volumes')).toEqual([`secrets-${name}:/run/secrets:ro`]);
  });

  it('is read-only, without capabilities', () => {
    expect(service(name)).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(textAt(service(name), 'image')).toMatch(/^lensforge\/[a-z-]+:\$\{VERSION:-dev\}$/);
  });
});

it('stores are pinned and reachable from services alone', () => {
  for (const name of ['postgres', 'valkey']) {
    expect(textAt(service(name), 'image')).toMatch(/@sha256:[0-9a-f]{64}$/);
    expect(textsAt(service(name), 'networks')).toEqual(['stores']);
    expect(listAt(service(name), 'ports')).toEqual([]);
  }
  expect(membersAt(compose, 'networks.stores')).toEqual({ internal: true });
  expect(textsAt(service('valkey'), 'command').join(' ')).toContain('--appendonly yes --maxmemory-policy noeviction');
});

it('a second start keeps the passwords and keys', () => {
  const read = (): string => readFileSync(join(secrets, 'all', 'secrets.json'), 'utf8');
  const before = read();
  rmSync(join(secrets, 'oauth'), { recursive: true });
  generate();
  expect(read()).toBe(before);
  expect(readFileSync(fileIn('oauth', 'master-key'), 'utf8')).toBe(
    readFileSync(fileIn('api-gateway', 'master-key'), 'utf8'),
  );
});

describe('docker/Dockerfile', () => {
  const text = readFileSync(join(docker, 'Dockerfile'), 'utf8');

  it('has one target for each program', () => {
    const targets = [...text.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, target]) => target);
    expect(targets).toEqual(expect.arrayContaining([...services, 'operate']));
    const programs = [...text.matchAll(/bundle\/([a-z-]+)\.js/g)].map(([, program]) => program);
    expect(programs.sort()).toEqual([...services, 'lensforge-operate'].sort());
  });

  it('is based on a digest and runs as 10001 on an empty file system', () => {
    expect(text).toMatch(/^ARG BASE=docker\.io\/library\/node:24-\S+@sha256:[0-9a-f]{64}$/m);
    expect(text).toMatch(/^FROM scratch AS runtime$/m);
    expect(text).toMatch(/^USER 10001:10001$/m);
  });

  it.each(services)('%s has the memory and the heap of its manifest', (name) => {
    const manifest: unknown = parse(readFileSync(join(docker, '..', 'k8s', 'base', name, 'deployment.yaml'), 'utf8'));
    const container = listAt(manifest, 'spec.template.spec.containers')[0];
    const options = listAt(container, 'env').find((each) => textAt(each, 'name') === 'NODE_OPTIONS');
    expect(environmentOf(name)['NODE_OPTIONS']).toBe(textAt(options, 'value'));
    const memory = textAt(container, 'resources.limits.memory').replace('Mi', 'm').replace('Gi', 'g');
    expect(textAt(service(name), 'mem_limit')).toBe(memory);
    const grace = numberAt(manifest, 'spec.template.spec.terminationGracePeriodSeconds');
    expect(Number.parseInt(textAt(service(name), 'stop_grace_period'), 10)).toBeGreaterThanOrEqual(Math.min(grace, 60));
  });
});

it('all files that docker/ names exist', () => {
  const mounted = ['postgres', 'caddy'].flatMap((name) => textsAt(service(name), 'volumes'));
  const files = mounted.filter((each) => each.startsWith('./')).map((each) => each.split(':')[0] ?? '');
  expect(files.filter((file) => !existsSync(join(docker, file)))).toEqual([]);
  expect(files).toHaveLength(2);
});
