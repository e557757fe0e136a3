import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerApproval, answerWait, cancelRun, listApprovals, openWait } from '@lensforge/runs';
import { until } from '@lensforge/testing';
import { saveGraph } from '@lensforge/workflows';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NodeEngine } from '../src/engine/workflow/node-engine.js';
import { http } from '../src/nodes/http.js';
import { type NodeEngineSetup, type StoredNode, aNodeEngineSetup, step } from './node-engine-setup.js';

let setup: NodeEngineSetup;
let address: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
const outside = createServer((request, response) => answer(request, response));
const json = (response: ServerResponse, status: number, body: unknown): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', connection: 'close' })
    .end(JSON.stringify(body));

beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  setup = await aNodeEngineSetup();
});
afterAll(async () => {
  await setup.close();
  outside.closeAllConnections();
  outside.close();
});

const alone = (node: object): object => ({ nodes: [{ id: 'n', ...node }], edges: [] });
const statusOf = async (runId: string, key = 'n') => (await setup.statuses(runId))[key];
const reaches = (runId: string, status: string, key = 'n') =>
  until(async () => (await statusOf(runId, key)) === status, { what: `${key} to be ${status}` });

/** Expires the lease of a node, as if its worker had died. */
async function loseWorker(runId: string, key = 'n'): Promise<void> {
  const [row] = await setup.source
    .query<{ attempt: number }[]>(
      `update node_results set lease_until = now() where run_id = $1 and node_key = $2 and status = 'running' returning attempt`,
      [runId, key],
    )
    .then(([rows]) => rows as unknown as { attempt: number }[]);
  expect(await setup.engine.lost(runId, key, row?.attempt ?? 0)).toBe(true);
}

describe('an assert node', () => {
  const check = (message?: unknown): object =>
    alone({
      type: 'assert',
      settings: { condition: 'inputs.score >= 0.9', ...(message !== undefined && { message }) },
    });

  it('goes on when its condition is true, and fails the run with its message when it is not', async () => {
    const message = { $: '"score " + string(inputs.score) + " < 0.9"' };
    const passed = await setup.run(check(message), { inputs: { score: 0.95 } });
    expect(passed).toMatchObject({ status: 'succeeded', output: { n: true } });
    const failure = { status: 'failed', errorCode: 'ASSERTION_FAILED' };
    expect(await setup.run(check(message), { inputs: { score: 0.62 } })).toMatchObject({
      ...failure,
      errorMessage: 'n: score 0.62 < 0.9',
    });
    expect(await setup.run(check(), { inputs: { score: 0.62 } })).toMatchObject({
      ...failure,
      errorMessage: 'n: inputs.score >= 0.9 is false',
    });
  });

  it('fails when its condition is neither true nor false', async () => {
    const run = await setup.run(alone({ type: 'assert', settings: { condition: 'inputs.score' } }), {
      inputs: { score: 1 },
    });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'EXPRESSION_FAILED' });
  });

  it('leaves the failure to the edges with onError: continue', async () => {
    const nodes = [
      { id: 'n', type: 'assert', settings: { condition: 'false', message: 'no' }, onError: 'continue' },
      step('after', 'nodes.n.error.code + " " + nodes.n.error.message'),
    ];
    const run = await setup.run({ nodes, edges: [{ from: 'n', to: 'after' }] });
    expect(run).toMatchObject({ status: 'succeeded', output: 'ASSERTION_FAILED no' });
  });
});

describe('the function fail of an expression', () => {
  it('fails the node with its message', async () => {
    const run = await setup.run(alone(step('n', 'inputs.n > 1 ? fail("more than one") : inputs.n')), {
      inputs: { n: 2 },
    });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'ASSERTION_FAILED', errorMessage: 'n: more than one' });
  });
});

describe('an http node', () => {
  const call = { type: 'http', settings: { method: 'POST', url: { $: 'inputs.url' }, body: { a: { $: 'inputs.n' } } } };

  it('sends the values of its expressions, and its output is the response', async () => {
    answer = (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => json(response, 201, { got: JSON.parse(body), key: request.headers['idempotency-key'] }));
    };
    const run = await setup.run(alone(call), { inputs: { url: `${address}/x`, n: 3 } });
    expect(run.output).toMatchObject({ n: { status: 201, body: { got: { a: 3 }, key: `${run.id}:n` } } });
  });

  it('retries transient faults, and fails with the last status', async () => {
    let calls = 0;
    answer = (_, response) => json(response, (calls += 1) < 3 ? 503 : 200, {});
    const retry = { attempts: 5, delaySeconds: 0 };
    expect(await setup.run(alone({ ...call, retry }), { inputs: { url: address, n: 1 } })).toMatchObject({
      status: 'succeeded',
    });
    expect(calls).toBe(3);
    answer = (_, response) => json(response, 404, {});
    const run = await setup.run(alone(call), { inputs: { url: address, n: 1 } });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'HTTP_STATUS' });
  });

  it('fails after its timeout', async () => {
    answer = () => undefined;
    const run = await setup.run(alone({ ...call, timeoutSeconds: 1 }), { inputs: { url: address, n: 1 } });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'NODE_TIMED_OUT' });
    expect(await statusOf(run.id)).toBe('timed_out');
  });

  it('is canceled with its run, and its request is aborted', async () => {
    let cut = false;
    answer = (request) => void request.on('close', () => (cut = true));
    const runId = await setup.accept(alone(call), { inputs: { url: address, n: 1 } });
    await reaches(runId, 'running');
    await cancelRun(setup.ctx, runId);
    setup.engine.leases.check(runId);
    await until(() => cut);
    expect(await setup.ended(runId)).toMatchObject({ status: 'canceled' });
    expect(await statusOf(runId)).toBe('canceled');
    await setup.events(runId);
  });

  it('is repeated with the same idempotency key after a lost worker, whose result is ignored', async () => {
    const keys: unknown[] = [];
    const open: ServerResponse[] = [];
    answer = (request, response) => {
      keys.push(request.headers['idempotency-key']);
      if (keys.length === 1) open.push(response);
      else json(response, 200, { from: 'second' });
    };
    const runId = await setup.accept(alone(call), { inputs: { url: address, n: 1 } });
    await until(() => keys.length === 1);
    await loseWorker(runId);
    const run = await setup.ended(runId);
    expect(run.output).toMatchObject({ n: { body: { from: 'second' } } });
    for (const response of open) json(response, 200, { from: 'first' });
    expect(keys).toEqual([`${runId}:n`, `${runId}:n`]);
    expect((await setup.nodes(runId))['n']).toMatchObject({ attempt: 2, output: { body: { from: 'second' } } });
  });

  it('fails after three lost workers', async () => {
    answer = () => undefined;
    const runId = await setup.accept(alone(call), { inputs: { url: address, n: 1 } });
    for (let lost = 0; lost < 3; lost += 1) {
      await reaches(runId, 'running');
      await loseWorker(runId);
    }
    expect(await setup.ended(runId)).toMatchObject({ status: 'failed', errorCode: 'WORKER_LOST' });
  });
});

describe('a node with a deep output', () => {
  const deepJson = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  const deep = (levels: number): unknown => JSON.parse(deepJson(levels));
  const body = (levels: number): string => {
    answer = (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(deepJson(levels));
    return address;
  };
  const call = { type: 'http', settings: { method: 'POST', url: { $: 'inputs.url' } }, retry: { attempts: 3 } };

  it('fails after one call when the output has more than 32 levels', async () => {
    const run = await setup.run(alone(call), { inputs: { url: body(9000) } });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'OUTPUT_NOT_VALID' });
    expect(run.errorMessage).toBe('n: The output is nested deeper than 32 levels');
    expect((await setup.nodes(run.id))['n']).toMatchObject({ attempt: 1, output: null });
  });

  it('succeeds with 32 levels', async () => {
    const graph = { ...alone(call), outputs: { ok: 'true' } };
    expect((await setup.run(graph, { inputs: { url: body(31) } })).output).toEqual({ ok: true });
    expect(await setup.run(graph, { inputs: { url: body(32) } })).toMatchObject({ errorCode: 'OUTPUT_NOT_VALID' });
  });

  it('fails as the outputs of a map or run', async () => {
    const value = step('n', 'inputs.value');
    const graph = { nodes: [value], edges: [] };
    expect((await setup.run(graph, { inputs: { value: deep(31) } })).status).toBe('succeeded');
    const wrapped = { nodes: [step('n', '[inputs.value]')], edges: [] };
    const tooDeep = { status: 'failed', errorCode: 'OUTPUTS_FAILED' };
    expect(await setup.run(wrapped, { inputs: { value: deep(31) } })).toMatchObject({
      ...tooDeep,
      errorMessage: 'outputs: are nested deeper than 32 levels',
    });
    const map = { type: 'map', settings: { items: '[1]', graph } };
    const ofMap = { ...alone(map), outputs: { ok: 'true' } };
    expect(await setup.run(ofMap, { inputs: { value: deep(31) } })).toMatchObject(tooDeep);
    expect((await setup.run(ofMap, { inputs: { value: deep(30) } })).status).toBe('succeeded');
  });
});

describe('a node that has lost two workers', () => {
  it('is executed in isolation, also when it has waited, and its run continues outside', async () => {
    const isolated: string[] = [];
    const inner: NodeEngine[] = [];
    const outer = await aNodeEngineSetup({
      isolate: async (job) => {
        isolated.push(job.nodeKey);
        await inner[0]?.execute(job);
      },
    });
    inner.push(outer.anEngine({ isolate: undefined, concurrency: 0, worker: 'isolated' }));
    const pause = { id: 'pause', type: 'delay', settings: { seconds: 2 } };
    const runId = await outer.accept({
      nodes: [pause, step('after', "'done'")],
      edges: [{ from: 'pause', to: 'after' }],
    });
    await until(async () => (await outer.statuses(runId))['pause'] === 'waiting');
    await outer.source.query('update node_results set lost_attempts = 2 where run_id = $1', [runId]);
    // The engine holds the state from before; in a lost worker this memory is gone.
    outer.engines.splice(0, 1, outer.anEngine());
    expect(await outer.ended(runId)).toMatchObject({ status: 'succeeded', output: 'done' });
    expect(isolated).toEqual(['pause']);
    await outer.close();
  });
});

describe('a node whose outcome the engine cannot process', () => {
  it('fails at once, without a second call', async () => {
    const broken = await aNodeEngineSetup({
      random: () => {
        throw new TypeError('a defect');
      },
    });
    let calls = 0;
    answer = (_, response) => json(response, (calls += 1) > 0 ? 503 : 200, {});
    const graph = alone({
      type: 'http',
      settings: { method: 'POST', url: { $: 'inputs.url' } },
      retry: { attempts: 3 },
      onError: 'continue',
    });
    const run = await broken.run(graph, { inputs: { url: address } });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'INTERNAL' });
    expect((await broken.nodes(run.id))['n']).toMatchObject({ attempt: 1, error: { code: 'INTERNAL' } });
    expect(calls).toBe(1);
    await broken.close();
  });
});

describe('an http node with an internal address', () => {
  it('fails without a retry, in any spelling of the address', async () => {
    const { egress, egressPolicy } = await import('@lensforge/egress');
    const { startCanary, hostileAddresses, hostileUrls } = await import('@lensforge/egress/testing');
    const canary = await startCanary();
    const urls = [...hostileAddresses.map((host) => `http://${host}:${canary.port}/`), ...hostileUrls];
    const parts = { egress: egress(egressPolicy({ allowHttp: true, ports: 'any' })) };
    for (const each of urls) {
      const url = each.replaceAll('HOST', `127.0.0.1:${canary.port}`);
      const resolve = (value: unknown): unknown => value;
      const place = { run: { cause: null }, node: { nodeKey: 'call' } };
      const settings = { method: 'GET', url, headers: {} };
      const work = { settings, resolve, parts, ...place, beforeEffect: () => undefined };
      const outcome = await http({ ...work, signal: new AbortController().signal } as never);
      const message = expect.stringMatching(/^(address|url)_not_allowed: /);
      expect([url, outcome]).toEqual([url, expect.objectContaining({ code: 'HTTP_FAILED', retry: 'final', message })]);
    }
    expect(canary.connections()).toBe(0);
    canary.close();
  });
});

describe('an approval node', () => {
  const ask = (more: object = {}) => ({
    nodes: [
      { id: 'ask', type: 'approval', settings: { message: 'Publish it?', data: { $: 'inputs.data' }, ...more } },
      step('yes', 'nodes.ask.output.data'),
      step('no', "'no'"),
      step('late', "'late'"),
    ],
    edges: [
      { from: 'ask', to: 'yes', when: "nodes.ask.output.decision == 'approved'" },
      { from: 'ask', to: 'no', when: "nodes.ask.output.decision == 'rejected'" },
      { from: 'ask', to: 'late', when: "nodes.ask.output.decision == 'expired'" },
    ],
  });
  const asked = async (runId: string): Promise<string> => {
    await reaches(runId, 'waiting', 'ask');
    return (await listApprovals(setup.ctx, { runId, limit: 1 })).items[0]?.id ?? '';
  };

  it('continues with the data of the approver; a second answer is refused', async () => {
    const runId = await setup.accept(ask(), { inputs: { data: 1 } });
    const approvalId = await asked(runId);
    await answerApproval(setup.ctx, { runId, approvalId, decision: 'approve', data: 2 });
    await expect(answerApproval(setup.ctx, { runId, approvalId, decision: 'reject' })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { status: 'approved' },
    });
    expect((await setup.ended(runId)).output).toEqual({ yes: 2 });
    expect((await setup.events(runId)).map(({ eventType }) => eventType)).toEqual(
      expect.arrayContaining(['node.waiting', 'approval.requested', 'approval.resolved']),
    );
  });

  it('continues with a rejection, or fails with onReject fail', async () => {
    const runId = await setup.accept(ask(), { inputs: { data: 1 } });
    await answerApproval(setup.ctx, { runId, approvalId: await asked(runId), decision: 'reject', comment: 'no' });
    expect((await setup.ended(runId)).output).toBe('no');
    const strict = await setup.accept(ask({ onReject: 'fail' }), { inputs: { data: 1 } });
    await answerApproval(setup.ctx, { runId: strict, approvalId: await asked(strict), decision: 'reject' });
    expect(await setup.ended(strict)).toMatchObject({ status: 'failed', errorCode: 'REJECTED' });
  });

  it('leaves the run the last nodes that succeeded before the rejection', async () => {
    const { nodes, edges } = ask({ onReject: 'fail' });
    const graph = { nodes: [...nodes, step('beside', "'kept'")], edges };
    const runId = await setup.accept(graph, { inputs: { data: 1 } });
    await reaches(runId, 'succeeded', 'beside');
    await answerApproval(setup.ctx, { runId, approvalId: await asked(runId), decision: 'reject' });
    const kept = { contentJson: { beside: 'kept' }, isPrimaryOutput: false };
    expect(await setup.ended(runId)).toMatchObject({ status: 'failed', artifacts: [kept] });
  });

  it('continues as expired when it is not answered', async () => {
    const run = await setup.run(ask({ expiresInSeconds: 1, onExpire: 'continue' }), { inputs: { data: 1 } });
    expect(run.output).toBe('late');
  });

  it('is canceled with its run', async () => {
    const runId = await setup.accept(ask(), { inputs: { data: 1 } });
    const approvalId = await asked(runId);
    await cancelRun(setup.ctx, runId);
    expect(await statusOf(runId, 'ask')).toBe('canceled');
    await expect(answerApproval(setup.ctx, { runId, approvalId, decision: 'approve' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });
});

describe('a webhook_wait node', () => {
  it('continues with the body of the first call', async () => {
    const runId = await setup.accept(alone({ type: 'webhook_wait', settings: {} }));
    await reaches(runId, 'waiting');
    const { token } = await openWait(setup.ctx, { runId, nodeKey: 'n' });
    await answerWait(setup.ctx, token, { paid: true });
    await expect(answerWait(setup.ctx, token, {})).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await setup.ended(runId)).output).toEqual({ n: { body: { paid: true } } });
  });

  it('fails when it is not called in time', async () => {
    const run = await setup.run(alone({ type: 'webhook_wait', settings: { expiresInSeconds: 1 } }));
    expect(run).toMatchObject({ status: 'failed', errorCode: 'EXPIRED' });
  });
});

describe('a workflow node', () => {
  it('has the outputs of its child run', async () => {
    const workflowId = await setup.workflow({ nodes: [step('twice', 'inputs.n * 2')], edges: [] });
    const run = await setup.run(alone({ type: 'workflow', settings: { workflowId, inputs: { n: 21 } } }));
    expect(run.output).toEqual({ n: { twice: 42 } });
  });

  it('succeeds when its child run ends before it waits', async () => {
    const workflowId = await setup.workflow({ nodes: [], edges: [] });
    const call = { id: 'call', type: 'workflow', settings: { workflowId } };
    const settings = { items: JSON.stringify(Array(8).fill(1)), concurrency: 4, graph: { nodes: [call], edges: [] } };
    expect(await setup.run(alone({ type: 'map', settings }))).toMatchObject({ status: 'succeeded' });
  });

  it('checks its child run again when it was woken while it was running', async () => {
    const workflowId = await setup.workflow(alone({ type: 'approval', settings: { message: 'x' } }));
    const runId = await setup.accept(alone({ type: 'workflow', settings: { workflowId } }));
    await reaches(runId, 'waiting');
    const { generation, attempt } = (await setup.nodes(runId))['n'] as StoredNode;
    await setup.source.query(
      `update node_results set status = 'running', attempt = attempt + 1, lease_until = now() + interval '1 hour' where run_id = $1`,
      [runId],
    );
    await setup.source.query('update runs set node_version = node_version + 1 where id = $1', [runId]);
    await setup.engine.execute({ runId, nodeKey: 'n', generation: generation + 1 });
    expect((await setup.nodes(runId))['n']).toMatchObject({ status: 'running', attempt: attempt + 1 });
    await loseWorker(runId);
    await until(async () => (await setup.nodes(runId))['n']?.generation === generation + 3, { what: 'a second check' });
    await cancelRun(setup.ctx, runId);
  });

  it('fails like its child run, and cancels the child with itself', async () => {
    const bad = await setup.workflow({ nodes: [step('bad', '1 / 0')], edges: [] });
    expect(await setup.run(alone({ type: 'workflow', settings: { workflowId: bad } }))).toMatchObject({
      status: 'failed',
      errorCode: 'EXPRESSION_FAILED',
    });
    const slow = await setup.workflow({ nodes: [{ id: 'd', type: 'delay', settings: { seconds: 600 } }], edges: [] });
    const runId = await setup.accept(alone({ type: 'workflow', settings: { workflowId: slow } }));
    await reaches(runId, 'waiting');
    const children = () =>
      setup.source.query<{ status: string }[]>('select status from runs where parent_run_id = $1', [runId]);
    await until(async () => (await children())[0]?.status === 'running');
    await cancelRun(setup.ctx, runId);
    expect(await children()).toEqual([{ status: 'canceled' }]);
  });

  it('refuses more than eight levels', async () => {
    let workflowId = await setup.workflow({ nodes: [step('end', '1')], edges: [] });
    for (let depth = 0; depth < 8; depth += 1) {
      workflowId = await setup.workflow(alone({ type: 'workflow', settings: { workflowId } }));
    }
    expect(await setup.run({}, { workflowId })).toMatchObject({ status: 'failed', errorCode: 'TOO_DEEP' });
  });
});

describe('a map node', () => {
  const each = (settings: object) =>
    alone({
      type: 'map',
      settings: {
        items: 'inputs.list',
        graph: { nodes: [step('x', '10 / item')], edges: [] },
        ...settings,
      },
    });

  it('fails with its first failed item, or continues without it', async () => {
    const inputs = { list: [5, 0, 2] };
    expect(await setup.run(each({}), { inputs })).toMatchObject({ status: 'failed', errorCode: 'EXPRESSION_FAILED' });
    const run = await setup.run(each({ onItemError: 'continue' }), { inputs });
    expect(run.output).toEqual({ n: [{ x: 2 }, null, { x: 5 }] });
  });

  it('refuses a value that is not a list, and succeeds with an empty list', async () => {
    expect(await setup.run(each({}), { inputs: { list: 'x' } })).toMatchObject({ errorCode: 'NOT_A_LIST' });
    expect((await setup.run(each({}), { inputs: { list: [] } })).output).toEqual({ n: [] });
  });
});

describe('a retry from the failed nodes', () => {
  it('reuses the results of succeeded nodes', async () => {
    let calls = 0;
    answer = (_, response) => json(response, 200, { n: (calls += 1) });
    const graph = {
      nodes: [
        { id: 'once', type: 'http', settings: { url: `${address}/once` } },
        step('check', 'has(inputs.never) ? 1 : 1 / (nodes.once.output.body.n - 1)'),
      ],
      edges: [{ from: 'once', to: 'check' }],
    };
    const workflowId = await setup.workflow(graph);
    const first = await setup.run(graph, { workflowId });
    expect(first.status).toBe('failed');
    const second = await setup.run(graph, { workflowId, keepFrom: first.id });
    expect(second.status).toBe('failed');
    expect(calls).toBe(1);
    expect(await setup.statuses(second.id)).toEqual({ once: 'succeeded', check: 'failed' });
  });

  const counting = (): Record<string, number> => {
    const calls: Record<string, number> = {};
    answer = ({ url = '' }, response) => {
      const name = url.slice(1);
      calls[name] = (calls[name] ?? 0) + 1;
      json(response, name.startsWith('mends') && calls[name] === 1 ? 400 : 200, {});
    };
    return calls;
  };
  const get = (id: string, url: unknown, more: object = {}): object => ({
    id,
    type: 'http',
    settings: { url: typeof url === 'string' ? `${address}/${url}` : url },
    ...more,
  });
  const again = async (graph: object) => {
    const workflowId = await setup.workflow(graph);
    const first = await setup.run(graph, { workflowId });
    expect(first.status).toBe('failed');
    return setup.run(graph, { workflowId, keepFrom: first.id });
  };

  it('repeats nodes that depend on a failed node, even if they had succeeded', async () => {
    const calls = counting();
    const second = await again({
      nodes: [get('a', 'mends-a', { onError: 'continue' }), get('b', 'after'), get('c', 'mends-c'), get('d', 'aside')],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'd', to: 'b' },
        { from: 'b', to: 'c' },
      ],
    });
    expect(second.status).toBe('succeeded');
    expect(calls).toEqual({ 'mends-a': 2, after: 2, 'mends-c': 2, aside: 1 });
  });

  it('keeps the results of nodes that another version has unchanged', async () => {
    const calls = counting();
    const graph = (changed: string, last: string, more: object = {}) => ({
      nodes: [
        get('a', 'same', more),
        get('b', changed),
        step('c', '1'),
        get('d', 'aside'),
        step('e', last),
        step('f', 'nodes.c.output'),
      ],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
        { from: 'c', to: 'f' },
        { from: 'f', to: 'e' },
        { from: 'd', to: 'e' },
      ],
    });
    const workflowId = await setup.workflow(graph('before', 'fail("not yet")'));
    const first = await setup.run({}, { workflowId });
    expect(first.status).toBe('failed');
    await saveGraph(setup.ctx, { workflowId, graph: graph('after', "'done'", { title: 'The first' }) });
    const second = await setup.run({}, { workflowId, keepFrom: first.id });
    expect(second).toMatchObject({ status: 'succeeded', output: 'done' });
    expect(calls).toEqual({ same: 1, before: 1, after: 1, aside: 1 });
    expect((await setup.nodes(second.id))['c']).toMatchObject({ attempt: 1 });
  });

  it('repeats the nodes behind an edge that another version has changed', async () => {
    const calls = counting();
    const graph = (last: string, edge: object) => ({
      nodes: [get('a', 'same'), get('b', 'behind'), step('c', last)],
      edges: [
        { from: 'a', to: 'b', ...edge },
        { from: 'b', to: 'c' },
      ],
    });
    const workflowId = await setup.workflow(graph('fail("not yet")', {}));
    const first = await setup.run({}, { workflowId });
    await saveGraph(setup.ctx, { workflowId, graph: graph("'done'", { when: 'true' }) });
    expect(await setup.run({}, { workflowId, keepFrom: first.id })).toMatchObject({ status: 'succeeded' });
    expect(calls).toEqual({ same: 1, behind: 2 });
  });

  it('repeats a node that it names, with all nodes after it', async () => {
    const calls = counting();
    const graph = {
      nodes: [get('a', 'first'), get('b', 'second'), get('c', 'third'), get('d', 'aside'), get('e', 'mends-last')],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
        { from: 'c', to: 'e' },
        { from: 'd', to: 'e' },
      ],
    };
    const workflowId = await setup.workflow(graph);
    const first = await setup.run(graph, { workflowId });
    expect(first.status).toBe('failed');
    const second = await setup.run(graph, { workflowId, keepFrom: first.id, repeatNode: 'b' });
    expect(second.status).toBe('succeeded');
    expect(calls).toEqual({ first: 1, second: 2, third: 2, aside: 1, 'mends-last': 2 });
  });

  it('reuses the completed items of a map and the results of child runs', async () => {
    const calls = counting();
    const url = { $: `'${address}/' + item` };
    const inner = await setup.workflow({
      nodes: [get('x', 'once'), get('y', 'mends-inner')],
      edges: [{ from: 'x', to: 'y' }],
    });
    const each = {
      items: `['one', 'two', 'mends-three', 'four']`,
      concurrency: 1,
      graph: { nodes: [get('g', url), step('h', 'item', {})], edges: [{ from: 'g', to: 'h' }] },
    };
    const map = { id: 'each', type: 'map', settings: each };
    const call = { id: 'call', type: 'workflow', settings: { workflowId: inner } };
    const graph = (...nodes: object[]) => ({ nodes, edges: [] });
    const mapped = await again(graph(map));
    expect(mapped.output).toEqual({ each: ['one', 'two', 'mends-three', 'four'].map((h) => ({ h })) });
    expect(await again(graph(call))).toMatchObject({ status: 'succeeded' });
    expect(calls).toEqual({ one: 1, two: 1, 'mends-three': 2, four: 1, once: 1, 'mends-inner': 2 });
  });
});
