import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { at, listAt, textAt, textsAt } from './manifest.js';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const page = read('docs/deploy-processes.md');

/** A test that needs a program, which is skipped where it is not installed. */
const withProgram = (name: string): typeof it | typeof it.skip => {
  if (spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined) return it;
  process.stderr.write(`skipped: a file of processes/, as ${name} is not installed\n`);
  return it.skip;
};

describe('processes/', () => {
  let scratch: string;
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'lensforge-processes-'));
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  withProgram('systemd-analyze')('has units that systemd accepts for each service', () => {
    const unit = read('processes/systemd/lensforge@.service').replace('/usr/local/bin/node', process.execPath);
    const services = /lensforge@\{([a-z,-]+)\}/.exec(page)?.[1]?.split(',') ?? [];
    expect(services).toHaveLength(5);
    writeFileSync(join(scratch, 'lensforge.target'), read('processes/systemd/lensforge.target'));
    for (const service of [...services, 'all-in-one']) {
      const file = join(scratch, `lensforge@${service}.service`);
      writeFileSync(file, unit);
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      expect([service, status, stderr]).toEqual([service, 0, '']);
      expect(() => read('bundle', `${service}.js`)).not.toThrow();
    }
    writeFileSync(join(scratch, 'lensforge@wrong.service'), unit.replace('Restart=always', 'Restart=whenever'));
    const { stderr } = spawnSync('systemd-analyze', ['verify', join(scratch, 'lensforge@wrong.service')], {
      encoding: 'utf8',
    });
    expect(stderr).toContain('whenever');
  });

  withProgram('promtool')('has a configuration that Prometheus accepts, with the alerts', () => {
    const rules: unknown = parse(read('k8s/components/monitoring/rules.yaml'));
    writeFileSync(join(scratch, 'rules.yaml'), stringify(at(rules, 'spec')));
    writeFileSync(join(scratch, 'prometheus.yml'), read('processes/prometheus.yml'));
    const said = execFileSync('promtool', ['check', 'config', join(scratch, 'prometheus.yml')], { encoding: 'utf8' });
    expect(said).toContain('SUCCESS: 1 rule files found');
  });

  withProgram('logrotate')('has a configuration that logrotate accepts', () => {
    const { status, stderr } = spawnSync('logrotate', ['--debug', join(root, 'processes/logrotate.conf')], {
      encoding: 'utf8',
    });
    expect([status, /^(error|note):.*/m.exec(stderr)?.[0]]).toEqual([0, undefined]);
  });

  it('scrapes the management ports that the page gives to the services', () => {
    const [job] = listAt(parse(read('processes/prometheus.yml')), 'scrape_configs');
    const ports = textsAt(listAt(job, 'static_configs')[0], 'targets').map((target) => target.split(':')[1]);
    expect(ports).toEqual(['4050', '4150', '4250', '4350', '4450']);
    for (const port of ports) expect(page).toContain(` ${port}`);
    expect(textAt(job, 'job_name')).toBe('lensforge');
  });

  it('leads Grafana to the dashboards', () => {
    const [provider] = listAt(parse(read('processes/grafana/dashboards.yaml')), 'providers');
    const folder = textAt(provider, 'options.path').replace('/opt/lensforge/', '');
    expect(readdirSync(join(root, folder)).filter((name) => name.endsWith('.json'))).toHaveLength(3);
    const [source] = listAt(parse(read('processes/grafana/datasources.yaml')), 'datasources');
    expect(textAt(source, 'type')).toBe('prometheus');
  });
});
