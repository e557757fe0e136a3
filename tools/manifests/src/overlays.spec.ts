import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { hasKubectl, manifestsIn, overlays, buildYaml } from './build-overlay.js';
import { findFaults } from './check.js';
import { factsOfCode } from './code-facts.js';
import type { Facts } from './facts.js';
import { membersAt, ofKind, listWorkloads } from './manifest.js';
import { Schemas } from './schemas.js';
import { plainSettings } from './settings-of.js';

const root = join(import.meta.dirname, '..', '..', '..');
const schemas = Schemas.find();
const withKubectl = hasKubectl() ? describe : describe.skip;

if (!hasKubectl()) process.stderr.write('skipped: the checks of k8s/, as kubectl is not installed\n');
else if (!schemas)
  process.stderr.write('skipped: k8s/ against the schemas of Kubernetes, as KUBERNETES_SCHEMAS names none\n');

let code: Omit<Facts, 'production'>;
beforeAll(async () => {
  code = await factsOfCode();
});

withKubectl.each(overlays)('the overlay %s', (overlay) => {
  const yaml = buildYaml(overlay);
  const all = manifestsIn(yaml);

  it('has no faults', () => {
    expect(findFaults(all, { ...code, production: overlay !== 'dev' }, schemas)).toEqual([]);
  });

  it('is built the same each time', () => {
    expect(buildYaml(overlay)).toBe(yaml);
  });

  it('has only settings that docs/configuration.md describes', () => {
    const documented = readFileSync(join(root, 'docs', 'configuration.md'), 'utf8');
    const given = new Set([
      ...listWorkloads(all).flatMap((workload) => Object.keys(plainSettings(all, workload))),
      ...ofKind(all, 'Secret').flatMap((each) => Object.keys(membersAt(each, 'data'))),
    ]);
    const settings = [...given].filter((name) => /^(LENSFORGE|DATABASE|REDIS)_|^(NODE_ENV|PORT|HOST)$/.test(name));
    expect(settings.length).toBeGreaterThan(10);
    expect(settings.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });
});

it('KEDA counts the lists of the queue of runs', () => {
  expect(code.queueKeys).toEqual({
    waiting: '{lensforge}:runs:wait',
    prioritized: '{lensforge}:runs:prioritized',
    active: '{lensforge}:runs:active',
  });
});
