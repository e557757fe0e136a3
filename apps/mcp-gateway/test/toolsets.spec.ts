import { platformActor } from '@lensforge/core';
import { advanceExperiment } from '@lensforge/evaluation';
import { aLens } from '@lensforge/lenses/testing';
import { acceptLensRun, claimRuns, finishRuns } from '@lensforge/runs';
import { aFinish } from '@lensforge/runs/testing';
import { until } from '@lensforge/testing';
import { catalogue, tools, toolsets } from '@lensforge/tools';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpService, type TestCaller, type ToolAnswer, failureOf } from './mcp-service.js';
import { restNamesIn } from './rest-names.js';

let service: McpService;
let mine: TestCaller;
let lensId: string;

beforeAll(async () => {
  service = await McpService.start();
  mine = await service.aCaller();
  lensId = (
    await aLens(mine.ctx, { templateBody: 'Say [[Word]] in a plain sentence that is long enough to be a text.' })
  ).id;
});
afterAll(async () => {
  await service.stop();
});

interface Reply {
  result?: ToolAnswer & { tools?: { name: string; description: string }[] };
  error?: { code: number; message: string };
}

async function rpc(
  method: string,
  params: object,
  { query = '?toolset=evaluation', bearer = mine.bearer, url = service.url } = {},
) {
  const answer = await service.send({ jsonrpc: '2.0', id: 1, method, params }, bearer, {}, `${url}${query}`);
  return { status: answer.status, body: (await answer.json()) as Reply };
}

const namesOf = ({ body }: { body: Reply }): string[] => body.result?.tools?.map(({ name }) => name) ?? [];

async function call(name: string, args: object, options = {}): Promise<ToolAnswer> {
  const { body } = await rpc('tools/call', { name, arguments: args }, options);
  if (!body.result) throw new Error(JSON.stringify(body.error));
  return body.result;
}

const usual = tools.map(({ name }) => name);
const extra = toolsets.evaluation.map(({ name }) => name);

describe('the toolset evaluation', () => {
  it('is listed for clients that ask for it, and for all where the operator switches it on', async () => {
    expect(namesOf(await rpc('tools/list', {}, { query: '' }))).toEqual(usual);
    expect(namesOf(await rpc('tools/list', {}))).toEqual([...usual, ...extra]);
    const other = await McpService.start(tools, { LENSFORGE_MCP_TOOLSETS: 'evaluation' });
    const { bearer } = await other.aCaller();
    expect(namesOf(await rpc('tools/list', {}, { query: '', bearer, url: other.url }))).toEqual([...usual, ...extra]);
    await other.stop();
  });

  it('cannot be called without asking for it', async () => {
    const { body } = await rpc('tools/call', { name: 'list_datasets', arguments: {} }, { query: '' });
    expect(body.error?.message).toContain('there is no tool "list_datasets"');
  });

  it('is refused by name when there is no such set', async () => {
    const { status, body } = await rpc('tools/list', {}, { query: '?toolset=extras' });
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining('toolset is one of lenses, battles, workflows, agents, evaluation, extra'),
    ]);
  });

  it('tries a text over cases and shows what got worse', async () => {
    const save = [
      { key: 'sea', params: { Word: 'sea' }, expected: 'sea' },
      { key: 'hill', params: { Word: 'hill' }, expected: 'hill' },
    ];
    const saved = await call('save_dataset_cases', { name: 'Places', save });
    expect(saved.structuredContent).toMatchObject({ revision: 1, cases: 2 });
    const { dataset_id } = saved.structuredContent as { dataset_id: string };
    expect((await call('list_datasets', { query: 'place' })).structuredContent).toMatchObject({
      items: [{ id: dataset_id, name: 'Places', cases: 2 }],
      has_more: false,
    });
    const order = {
      lens_id: lensId,
      dataset_id,
      arms: [
        { name: 'now' },
        { name: 'next', template_body: 'Mention [[Word]] in some sentence that is long enough to be a text.' },
      ],
      baseline: 'now',
      scorers: [{ name: 'word', kind: 'check', assertions: [{ type: 'contains' }] }],
      gate: { rules: [{ scorer: 'word', min: 0.5 }] },
    };
    const started = await call('start_experiment', order);
    expect(started.structuredContent).toMatchObject({
      status: 'running',
      cells: 4,
      cells_done: 0,
      baseline: 'now',
      results: null,
    });
    const experiment_id = (started.structuredContent as { id: string }).id;
    await advanceExperiment({ ...service.ctx, actor: platformActor }, experiment_id, { timeoutMs: 60_000 });
    expect((await call('list_experiment_cells', { experiment_id, arm: 'next' })).structuredContent).toMatchObject({
      items: [{ key: 'hill', arm: 'next', state: 'running', output: null, scores: [] }, { key: 'sea' }],
    });
    expect((await call('cancel_experiment', { experiment_id })).structuredContent).toMatchObject({
      status: 'canceling',
    });
    expect((await call('list_experiments', { lens_id: lensId })).structuredContent).toMatchObject({
      items: [{ id: experiment_id }],
    });
    const stranger = await service.aCaller();
    for (const [name, args] of [
      ['get_experiment', { experiment_id }],
      ['list_experiment_cells', { experiment_id }],
      ['cancel_experiment', { experiment_id }],
      ['start_experiment', { ...order, lens_id: lensId }],
      ['save_dataset_cases', { dataset_id, save }],
    ] as const) {
      expect([name, failureOf(await call(name, args, { bearer: stranger.bearer })).code]).toEqual([name, 'NOT_FOUND']);
    }
    const reader = await service.aCaller({ held: ['lenses:read'] }, mine.accountId);
    expect(failureOf(await call('start_experiment', order, { bearer: reader.bearer })).code).toBe('PERMISSION_DENIED');
    expect((await call('get_experiment', { experiment_id }, { bearer: reader.bearer })).isError).toBeUndefined();
  });

  it.each([
    ['save_dataset_cases', {}, 'dataset_id'],
    ['start_experiment', { dataset_id: '019a0000-0000-7000-8000-000000000000', arms: [], scorers: [] }, 'arms'],
    ['list_experiment_cells', { experiment_id: 'x' }, 'experiment_id'],
  ])('names the argument of %s that is wrong', async (name, args, path) => {
    const failure = failureOf(await call(name, args));
    expect([failure.code, JSON.stringify(failure)]).toEqual(['BAD_INPUT', expect.stringContaining(path)]);
    expect(restNamesIn(failure)).toEqual([]);
  });

  it('tells a model when to use each of its tools and which one follows', () => {
    for (const { listed, errors } of toolsets.evaluation) {
      expect(listed).toMatchObject({
        title: expect.any(String),
        description: expect.stringMatching(/Use|use/),
        outputSchema: { type: 'object' },
      });
      expect(errors.length).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('the list of tools', () => {
  const list = async (query: string, bearer = mine.bearer): Promise<string[]> =>
    namesOf(await rpc('tools/list', {}, { query, bearer }));
  const ofGroup = (group: keyof typeof catalogue): string[] => catalogue[group].map(({ name }) => name);

  it('has the groups that a client names, and only tools that read if it says so', async () => {
    expect(await list('?toolset=workflows,lenses')).toEqual([...ofGroup('lenses'), ...ofGroup('workflows')]);
    expect(await list('?toolset=battles&toolset=extra')).toEqual([
      ...ofGroup('battles'),
      'execute_lens',
      'get_run_output',
    ]);
    const reading = tools.filter(({ class: kind }) => kind === 'Read').map(({ name }) => name);
    expect(await list('?read_only=true')).toEqual(reading);
    expect(await list('?read_only=false')).toEqual(usual);
    const { body } = await rpc('tools/call', { name: 'delete_lens', arguments: {} }, { query: '?read_only=true' });
    expect(body.error?.message).toContain('there is no tool "delete_lens"');
    const refused = await rpc('tools/list', {}, { query: '?read_only=maybe' });
    expect([refused.status, refused.body.error?.message]).toEqual([400, 'read_only must be true or false']);
  });

  it('has the tools that the scopes of the credential allow', async () => {
    const held = ['lenses:read'] as const;
    const { bearer } = await service.aCaller({ held });
    const allowed = tools.filter(({ scope }) => scope === 'lenses:read').map(({ name }) => name);
    expect(await list('', bearer)).toEqual(allowed);
    expect(allowed.length).toBeLessThan(usual.length);
    expect(await list('?toolset=agents', bearer)).toEqual([]);
  });
});

describe('execute_lens', () => {
  const options = { query: '?toolset=extra' };
  const worker = { worker: 'test', generation: 0, leaseMs: 60_000 };

  it('waits for the answer of the platform', async () => {
    const { id } = await aLens(mine.ctx, {
      templateBody: 'Say [[Word]] once more, in a sentence that is long enough.',
    });
    const args = { lens_id: id, param_values: { Word: 'sea' }, idempotency_key: 'once' };
    const answering = call('execute_lens', args, options);
    const find = () =>
      service.ctx.db.query<{ id: string }[]>(`select id from runs where status = 'queued' and lens_id = $1`, [id]);
    await until(async () => (await find()).length === 1);
    const [queued] = await find();
    const [run] = await claimRuns(service.ctx, [{ ...worker, runId: queued?.id ?? '' }]);
    if (!run) throw new Error('the run was not claimed');
    await finishRuns(service.ctx, [aFinish(run)]);
    const { structuredContent } = await answering;
    expect(structuredContent).toMatchObject({
      run_id: run.id,
      status: 'succeeded',
      output: expect.any(String),
      error: null,
    });
    const again = await call('execute_lens', args, options);
    expect(again.structuredContent).toEqual(structuredContent);
    expect((await call('get_run_output', { run_id: run.id }, options)).structuredContent).toEqual(structuredContent);
  });

  it('says what is missing, and that a run goes on', async () => {
    const refused = await call('execute_lens', { lens_id: lensId }, options);
    expect(failureOf(refused)).toMatchObject({ code: 'MISSING_PARAMS' });
    const { runId } = await acceptLensRun(mine.ctx, { lensId, params: { Word: 'hill' }, timeoutMs: 60_000 });
    const { structuredContent } = await call('get_run_output', { run_id: runId, wait_seconds: 1 }, options);
    expect(structuredContent).toMatchObject({
      status: 'queued',
      output: null,
      credits: null,
      next_step: expect.stringContaining('get_run_output'),
    });
    const stranger = await service.aCaller();
    const hidden = await call('get_run_output', { run_id: runId }, { ...options, bearer: stranger.bearer });
    expect(failureOf(hidden)).toMatchObject({ code: 'NOT_FOUND' });
  });
});
