import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { hasKubectl, manifestsIn } from './build-overlay.js';
import { findFaults } from './check.js';
import { factsOfCode } from './code-facts.js';
import { listAt, membersAt, named, ofKind, textAt, listWorkloads } from './manifest.js';
import { Schemas } from './schemas.js';

const root = join(import.meta.dirname, '..', '..', '..');
const monitoring = join(root, 'k8s', 'components', 'monitoring');
const runbooks = join(root, 'docs', 'runbooks');
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

const rules: unknown = parse(read(monitoring, 'rules.yaml'));
const all = listAt(rules, 'spec.groups').flatMap((group) => listAt(group, 'rules'));
const alerts = all.filter((rule) => textAt(rule, 'alert') !== '');
const names = alerts.map((rule) => textAt(rule, 'alert'));

const scratch = mkdtempSync(join(tmpdir(), 'lensforge-monitoring-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const dashboards = readdirSync(join(monitoring, 'dashboards')).map((file) => ({
  file,
  dashboard: JSON.parse(read(monitoring, 'dashboards', file)) as unknown,
}));
const queriesOf = (dashboard: unknown): string[] =>
  listAt(dashboard, 'panels').flatMap((panel) => listAt(panel, 'targets').map((target) => textAt(target, 'expr')));
const expressions = [
  ...all.map((rule) => textAt(rule, 'expr')),
  ...dashboards.flatMap((each) => queriesOf(each.dashboard)),
];

describe('the alerts', () => {
  it('are at least twenty, each with a severity, a summary, a description and a runbook of its own', () => {
    expect(names.length).toBeGreaterThanOrEqual(20);
    expect(new Set(names).size).toBe(names.length);
    for (const rule of alerts) {
      expect(['page', 'ticket']).toContain(textAt(rule, 'labels.severity'));
      for (const name of ['summary', 'description']) expect(textAt(rule, `annotations.${name}`)).not.toBe('');
      expect(textAt(rule, 'annotations.runbook')).toBe(`docs/runbooks/${textAt(rule, 'alert')}.md`);
    }
    const pages = readdirSync(runbooks).filter((file) => file !== 'README.md');
    expect(pages.sort()).toEqual(names.map((name) => `${name}.md`).sort());
  });

  it.each(names)('%s has a runbook that says what it means, what to look at and what to do', (name) => {
    const page = read(runbooks, `${name}.md`);
    expect(page.match(/^#.*$/gm)).toEqual([`# ${name}`, '## Meaning', '## Look at', '## Do']);
    for (const [, target = ''] of page.matchAll(/\]\(([^)#]+)[^)]*\)/g))
      expect(() => read(runbooks, target)).not.toThrow();
    expect(read(runbooks, 'README.md')).toContain(`[${name}](${name}.md)`);
  });

  it('have a test that shows each of them silent, then firing', () => {
    const tests = listAt(parse(read(monitoring, 'rules.test.yaml')), 'tests');
    expect(tests.map((test) => textAt(test, 'name')).sort()).toEqual([...names].sort());
    for (const test of tests) {
      const cases = listAt(test, 'promql_expr_test');
      expect(cases.map((each) => listAt(each, 'exp_samples').length)).toEqual([0, 1]);
    }
  });
});

describe('the queries of alerts and dashboards', () => {
  it('use metrics that docs/metrics.md lists', () => {
    const listed = new Set(
      [...read(root, 'docs', 'metrics.md').matchAll(/^\| `(lensforge_[a-z_]+)`/gm)].map(([, name]) => name),
    );
    const used = expressions.flatMap((text) => [...text.matchAll(/\blensforge_[a-z_]+/g)].map(([name]) => name));
    expect(used.length).toBeGreaterThan(60);
    const unknown = used.filter((name) => !listed.has(name) && !listed.has(name.replace(/_(bucket|count|sum)$/, '')));
    expect(unknown).toEqual([]);
  });

  it('never sum gauges that several services report about the same thing', () => {
    const same =
      /\b(sum|avg) ?\(lensforge_(queue_|outbox_|invariant|runs_waiting|webhook_(deliveries_(due|sending)|oldest))/;
    const isWrong = (text: string): boolean => same.test(text.replace(/ by \([^)]*\)/g, ''));
    expect(expressions.filter(isWrong)).toEqual([]);
    expect(['sum(lensforge_queue_depth)', 'sum by (queue) (lensforge_queue_depth)'].filter(isWrong)).toHaveLength(2);
  });
});

describe.each(dashboards)('the dashboard $file', ({ dashboard }) => {
  it('has a title for each panel, a query, a unit and places without overlap', () => {
    const panels = listAt(dashboard, 'panels');
    expect(panels.length).toBeGreaterThan(10);
    const places = panels.map((panel) => `${textAt(panel, 'gridPos.x')},${textAt(panel, 'gridPos.y')}`);
    expect(new Set(places).size).toBe(panels.length);
    for (const panel of panels) {
      expect(textAt(panel, 'title')).not.toBe('');
      expect(textAt(panel, 'fieldConfig.defaults.unit')).not.toBe('');
      expect(listAt(panel, 'targets').length).toBeGreaterThan(0);
    }
  });
});

(hasKubectl() ? describe : describe.skip)('the component monitoring', () => {
  it('fits the production overlay and scrapes the management port of all services', async () => {
    const folder = join(scratch, 'overlay');
    mkdirSync(folder);
    const path = (...parts: string[]): string => relative(folder, join(root, 'k8s', ...parts));
    writeFileSync(
      join(folder, 'kustomization.yaml'),
      stringify({ resources: [path('overlays', 'production')], components: [path('components', 'monitoring')] }),
    );
    const built = manifestsIn(
      execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', maxBuffer: 16_777_216 }),
    );
    const facts = { ...(await factsOfCode()), production: true };
    expect(findFaults(built, facts, Schemas.find())).toEqual([]);

    const service = named(built, 'Service', 'metrics');
    const selected = membersAt(service, 'spec.selector');
    const monitor = named(built, 'ServiceMonitor', 'lensforge');
    expect(service?.metadata.labels).toMatchObject(membersAt(monitor, 'spec.selector.matchLabels'));
    expect(service?.metadata.labels?.[textAt(monitor, 'spec.jobLabel')]).toBe('lensforge');
    const scraped = listWorkloads(built).filter(({ labels, pod }) => {
      const ports = listAt(pod, 'containers').flatMap((container) => listAt(container, 'ports'));
      const isSelected = Object.entries(selected).every(([name, value]) => labels[name] === value);
      return isSelected && ports.some((port) => textAt(port, 'name') === 'management');
    });
    expect(scraped.map(({ app }) => app).sort()).toEqual([
      'api-gateway',
      'mcp-gateway',
      'oauth',
      'run-worker',
      'webhook-dispatcher',
    ]);
    const map = ofKind(built, 'ConfigMap').find(({ metadata }) => metadata.name === 'dashboards');
    expect(Object.keys(membersAt(map, 'data'))).toHaveLength(dashboards.length);
  });
});
