import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { type Call, HttpTarget } from './http-target.js';
import { TestPlatform, countBy } from './test-platform.js';

/*
 * Workers die in nodes, between them, and while runs wait for time, people, calls and other runs. Finished nodes are not
 * repeated, and repeated nodes have the same idempotency key.
 */

const workers = 3;

let onCall: (call: Call) => Promise<void> | void = () => undefined;
const outside = new HttpTarget(async (call) => {
  await onCall(call);
  return 200;
});
const { calls } = outside;

let setup: TestPlatform;

beforeAll(async () => {
  await outside.open();
  setup = await TestPlatform.open({
    replicas: { 'run-worker': workers },
    environment: { LENSFORGE_HTTP_NODES_ALLOW_PRIVATE: 'true' },
  });
});
afterEach(async () => {
  onCall = () => undefined;
  await setup.allEnded();
  expect(await setup.findings()).toEqual(nothingFound);
  calls.length = 0;
});
afterAll(async () => {
  await setup.close();
  outside.close();
});

const anyOf = (count: number): number => Math.floor(Math.random() * count);

async function posted(path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await setup.call('POST', path, body ? { body: { ...body } } : {});
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body.error)}`);
  return answer.body.data ?? {};
}

const aWorkflow = async (nodes: object[]): Promise<string> => {
  const edges = nodes.slice(1).map((to, at) => ({ from: idOf(nodes[at]), to: idOf(to) }));
  return String((await posted('/v1/workflows', { title: 'Waits', graph: { nodes, edges } }))['id']);
};
const idOf = (node: object | undefined): string => (node as { id: string }).id;
const start = async (...nodes: object[]): Promise<string> =>
  String((await posted(`/v1/workflows/${await aWorkflow(nodes)}/run`, { inputs: {} }))['runId']);

const http = (id: string): object => ({ id, type: 'http', settings: { url: `${outside.address}/${id}` } });
const wait = (id: string, seconds: number): object => ({ id, type: 'delay', settings: { seconds } });
const calling = (id: string, workflowId: string): object => ({ id, type: 'workflow', settings: { workflowId } });

const nodesOf = async (runId: string): Promise<Record<string, string>> => {
  const rows = await setup.db.query<{ key: string; status: string }[]>(
    'select node_key as key, status from node_results where run_id = $1 order by node_key',
    [runId],
  );
  return Object.fromEntries(rows.map(({ key, status }) => [key, status]));
};
const reaches = (runId: string, key: string, status: string): Promise<unknown> =>
  until(async () => (await nodesOf(runId))[key] === status, {
    what: () => `${key} of ${runId} to be ${status}`,
  });
const ended = (runId: string): Promise<string> =>
  until(
    async () => {
      const [run] = await setup.db.query<{ status: string }[]>(
        'select status from runs where id = $1 and completed_at is not null',
        [runId],
      );
      return run?.status;
    },
    { what: () => `the end of run ${runId}` },
  );
const childOf = (runId: string, status: string): Promise<string> =>
  until(
    async () => {
      const [child] = await setup.db.query<{ id: string }[]>(
        'select id from runs where parent_run_id = $1 and status = $2',
        [runId, status],
      );
      return child?.id;
    },
    { what: () => `a run of ${runId} to be ${status}` },
  );

/** Kills a worker; one that is being restarted is killed after the restart. */
const kill = (worker: number): Promise<unknown> =>
  until(
    () => {
      if (setup.pidOf('run-worker', worker) === undefined) return false;
      setup.platform.kill('run-worker', worker, 'SIGKILL');
      return true;
    },
    { what: () => `worker ${worker + 1} to be there` },
  );
async function killAll(): Promise<void> {
  await Promise.all(Array.from({ length: workers }, (_, worker) => kill(worker)));
}

async function killHolderOf(runId: string, afterMs: number): Promise<void> {
  const [node] = await setup.db.query<{ worker: string }[]>(
    `select worker from node_results where run_id = $1 and status = 'running'`,
    [runId],
  );
  await pause(afterMs);
  const pid = Number(node?.worker.split(':')[1]);
  for (let worker = 0; worker < workers; worker += 1) {
    if (setup.pidOf('run-worker', worker) === pid) setup.platform.kill('run-worker', worker, 'SIGKILL');
  }
}

const runOf = ({ work }: Call): string => work.split(':')[0] ?? '';

describe('when workers die, a workflow', () => {
  it('repeats no finished node, with kills in and after each of ten nodes', async () => {
    const places = Array.from({ length: 10 }, (_, place) => `n${place}`);
    for (const place of places) {
      for (const moment of ['in', 'behind'] as const) {
        calls.length = 0;
        let killed = false;
        onCall = (call) => {
          if (killed || call.path !== `/${place}`) return;
          killed = true;
          const dying = killHolderOf(runOf(call), moment === 'in' ? 0 : anyOf(20));
          return moment === 'in' ? dying : undefined;
        };
        const runId = await start(...places.map(http));
        expect(await ended(runId)).toBe('succeeded');
        // In a chain a node begins after the one before it has finished, so a repeated call directly follows the first.
        const order = calls.map(({ path }) => path.slice(1));
        expect(order.filter((each, at) => each !== order[at - 1])).toEqual(places);
        expect(order.length).toBeLessThanOrEqual(places.length + 1);
        if (moment === 'in') expect(order.filter((each) => each === place)).toHaveLength(2);
        expect(new Set(calls.map(({ work }) => work))).toEqual(new Set(places.map((each) => `${runId}:${each}`)));
      }
    }
  });

  it('continues after all workers die while it waits for time, a person, a call and other runs', async () => {
    const grandchild = await aWorkflow([http('deepest'), wait('rest', 3), http('deep')]);
    const child = await aWorkflow([http('first'), calling('below', grandchild), http('last')]);
    const approval = { id: 'ask', type: 'approval', settings: { message: 'Go on?' } };
    const hook = { id: 'hook', type: 'webhook_wait', settings: {} };
    const runId = await start(http('begin'), wait('pause', 3), approval, hook, calling('call', child), http('end'));

    await reaches(runId, 'pause', 'waiting');
    await killAll();
    await reaches(runId, 'ask', 'waiting');
    await killAll();
    const [asked] = (await setup.call('GET', `/v1/runs/${runId}/approvals`)).body.data as unknown as { id: string }[];
    await posted(`/v1/runs/${runId}/approvals/${asked?.id}`, { decision: 'approve' });
    await reaches(runId, 'hook', 'waiting');
    const { url } = await posted(`/v1/runs/${runId}/nodes/hook/url`);
    await killAll();
    await posted(new URL(String(url)).pathname, { ok: true });
    await reaches(runId, 'call', 'waiting');
    await killAll();
    const below = await childOf(await childOf(runId, 'running'), 'running');
    await reaches(below, 'rest', 'waiting');
    await killAll();

    expect(await ended(runId)).toBe('succeeded');
    const runs = await setup.db.query<object[]>(
      `with recursive tree as (select id from runs where id = $1 union all select r.id from tree t join runs r on r.parent_run_id = t.id)
       select status from tree join runs using (id)`,
      [runId],
    );
    expect(runs).toEqual(Array(3).fill({ status: 'succeeded' }));
    expect(countBy(calls.map(({ path }) => path))).toEqual({
      '/begin': 1,
      '/first': 1,
      '/deepest': 1,
      '/deep': 1,
      '/last': 1,
      '/end': 1,
    });
  });

  it('gets the end of an inner run when workers die before its next step', async () => {
    const child = await aWorkflow([http('inner')]);
    for (let round = 0; round < 12; round += 1) {
      calls.length = 0;
      onCall = (call) => {
        // The response is being sent, and both runs end within some milliseconds.
        if (call.path === '/inner' && calls.length === 1) void killHolderOf(runOf(call), round * 6);
      };
      const runId = await start(calling('call', child), http('after'));
      expect(await ended(runId)).toBe('succeeded');
      const counts = countBy(calls.map(({ path }) => path));
      expect([counts['/inner'], counts['/after']].every((count) => count === 1 || count === 2)).toBe(true);
      expect(calls.length).toBeLessThanOrEqual(3);
      expect(new Set(calls.map(({ work }) => work)).size).toBe(2);
    }
  });

  it('cancels its inner runs, also without a running worker', async () => {
    const grandchild = await aWorkflow([http('deepest'), wait('long', 600)]);
    const child = await aWorkflow([calling('below', grandchild)]);
    const runId = await start(calling('call', child));
    const middle = await childOf(runId, 'running');
    const lowest = await childOf(middle, 'running');
    await reaches(lowest, 'long', 'waiting');
    await killAll();
    await posted(`/v1/runs/${runId}/cancel`);
    for (const each of [runId, middle, lowest]) expect(await ended(each)).toBe('canceled');
    expect(await Promise.all([runId, middle, lowest].map(nodesOf))).toEqual([
      { call: 'canceled' },
      { below: 'canceled' },
      { deepest: 'succeeded', long: 'canceled' },
    ]);
  });
});
