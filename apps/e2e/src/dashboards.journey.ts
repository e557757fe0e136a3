import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@lensforge/embedded';
import { until } from '@lensforge/testing';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestPlatform } from './test-platform.js';

const folder = join(import.meta.dirname, '..', '..', '..', 'k8s', 'components', 'monitoring', 'dashboards');
const services = ['api-gateway', 'mcp-gateway', 'oauth', 'run-worker', 'webhook-dispatcher'];

function isInstalled(): boolean {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const withPrometheus = isInstalled() ? describe : describe.skip;
if (withPrometheus === describe.skip)
  process.stderr.write('skipped: the dashboards against a Prometheus, as prometheus is not installed\n');

interface Panel {
  title: string;
  targets: { expr: string }[];
}
interface Answer {
  status: string;
  error?: string;
  data?: { result: { metric: Record<string, string>; value: [number, string] }[] };
}

withPrometheus('a Prometheus that scrapes a platform', () => {
  let setup: TestPlatform;
  let prometheus: ChildProcess;
  let url: string;
  let home: string;

  beforeAll(async () => {
    setup = await TestPlatform.open();
    home = await mkdtemp(join(tmpdir(), 'lensforge-prometheus-'));
    const processes = join(import.meta.dirname, '..', '..', '..', 'processes', 'prometheus.yml');
    const configuration = services.reduce(
      (text, service, at) => text.replace(`127.0.0.1:4${at}50`, new URL(setup.platform.urlOf(service)).host),
      (await readFile(processes, 'utf8')).replaceAll(/: (15|5)s$/gm, ': 1s'),
    );
    await writeFile(join(home, 'prometheus.yml'), configuration);
    const rules = parse(await readFile(join(folder, '..', 'rules.yaml'), 'utf8')) as { spec: unknown };
    // JSON is YAML.
    await writeFile(join(home, 'rules.yaml'), JSON.stringify(rules.spec));
    const address = `127.0.0.1:${await freePort()}`;
    url = `http://${address}`;
    prometheus = spawn(
      'prometheus',
      ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=${address}`],
      { cwd: home, stdio: 'ignore' },
    );
    await until(
      () =>
        fetch(`${url}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { what: 'Prometheus' },
    );
  });
  afterAll(async () => {
    if (prometheus.exitCode === null) {
      prometheus.kill('SIGKILL');
      await once(prometheus, 'exit');
    }
    await rm(home, { recursive: true, force: true });
    await setup.close();
  });

  const query = async (expression: string): Promise<Answer> =>
    (await (
      await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expression }).toString()}`)
    ).json()) as Answer;

  async function useEverything(): Promise<void> {
    await setup.accepted();
    await setup.accepted({ script: { fail: 'not today' } });
    const inputs = { product: 'Lensforge', audiences: ['operators'] };
    await setup.call('POST', `/v1/workflows/${setup.platform.workflowId}/run`, { body: { inputs } });
    await fetch(`${setup.platform.urlOf('mcp-gateway')}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${setup.platform.tokens['mcp']}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_lenses', arguments: {} },
      }),
    });
  }

  it('evaluates every alert', async () => {
    const health = async (): Promise<string[]> => {
      const { data } = (await (await fetch(`${url}/api/v1/rules`)).json()) as {
        data: { groups: { rules: { name: string; health: string }[] }[] };
      };
      return data.groups.flatMap(({ rules }) => rules.map((rule) => rule.health));
    };
    const all = await until(
      async () => {
        const states = await health();
        return !states.includes('unknown') && states;
      },
      { what: 'the first evaluation of the rules' },
    );
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((state) => state !== 'ok')).toEqual([]);
  });

  it('has a figure for every query of every panel of the dashboards', async () => {
    const panels: { name: string; expression: string }[] = [];
    for (const file of await readdir(folder)) {
      const { panels: all } = JSON.parse(await readFile(join(folder, file), 'utf8')) as { panels: Panel[] };
      for (const { title, targets } of all)
        for (const { expr } of targets)
          panels.push({ name: `${file}: ${title}`, expression: expr.replaceAll('$service', '.*') });
    }
    expect(panels.length).toBeGreaterThan(40);

    let empty: string[] = [];
    const areFilled = async (): Promise<boolean> => {
      await useEverything();
      const answers = await Promise.all(panels.map(({ expression }) => query(expression)));
      const faults = answers.flatMap(({ status, error }) => (status === 'success' ? [] : [error]));
      if (faults.length > 0) throw new Error(faults.join('\n'));
      empty = answers.flatMap(({ data }, at) =>
        data?.result.some(({ value }) => Number.isFinite(Number(value[1]))) ? [] : [panels[at]?.name ?? ''],
      );
      return empty.length === 0;
    };
    await until(areFilled, { every: 1000, what: () => `figures of ${empty.join(', ')}` });
    expect(empty).toEqual([]);
  });

  it('keeps the label service of the metrics, and sees the queues of several services as one', async () => {
    const up = await query('count by (job) (up == 1)');
    expect(up.data?.result).toMatchObject([{ metric: { job: 'lensforge' }, value: [expect.any(Number), '5'] }]);
    const names = (await query('count by (service) (process_start_time_seconds)')).data?.result;
    expect(names?.map(({ metric }) => metric['service']).sort()).toEqual(services);
    const reported = await query('count(lensforge_queue_depth{queue="runs",state="waiting"})');
    expect(Number(reported.data?.result[0]?.value[1])).toBeGreaterThan(1);
    const once = await query('count(max by (queue, state) (lensforge_queue_depth{queue="runs",state="waiting"}))');
    expect(once.data?.result[0]?.value[1]).toBe('1');
  });
});
