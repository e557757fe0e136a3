import { requestToolApproval, startTeamRun } from '@lensforge/agents';
import { newId, platformActor } from '@lensforge/core';
import { anAiLenser } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { acceptLensRun, acceptWorkflowRun, claimRuns, finishRuns } from '@lensforge/runs';
import { aFinish } from '@lensforge/runs/testing';
import { until } from '@lensforge/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpService, type TestCaller } from './mcp-service.js';

let service: McpService;
let mine: TestCaller;
let workflowId: string;

beforeAll(async () => {
  service = await McpService.start();
  mine = await service.aCaller();
  ({ id: workflowId } = await aWorkflow(mine.ctx));
});
afterAll(() => service.stop());

const version = '2026-07-28';
const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const withForms = { ...tasks, elicitation: {} };

interface Reply {
  result?: Record<string, unknown> & {
    inputRequests?: Record<string, { method: string; params: { message: string; requestedSchema: object } }>;
  };
  error?: { code: number; message: string; data?: unknown };
}

/** A request of the stateless revision. */
async function rpc(
  method: string,
  params: Record<string, unknown>,
  {
    capabilities = withForms,
    bearer = mine.bearer,
    url = service.url,
  }: { capabilities?: object; bearer?: string; url?: string } = {},
): Promise<Reply & { httpStatus: number }> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const name = params['name'] ?? params['taskId'];
  const headers = { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': String(name) };
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } };
  const answer = await service.send(message, bearer, headers, url);
  return { httpStatus: answer.status, ...((await answer.json()) as Reply) };
}

async function resultOf(...args: Parameters<typeof rpc>): Promise<NonNullable<Reply['result']>> {
  const { result, error } = await rpc(...args);
  if (!result) throw new Error(JSON.stringify(error));
  return result;
}

const get = (taskId: string, options = {}) => resultOf('tasks/get', { taskId }, options);
const update = (taskId: string, inputResponses: object, options = {}) =>
  rpc('tasks/update', { taskId, inputResponses }, options);
const execute = (name: string, args: object, more = {}, options = {}) =>
  resultOf('tools/call', { name, arguments: args, ...more }, { url: `${service.url}?toolset=extra`, ...options });

/** A workflow run that a worker has taken. */
async function aRunningRun(): Promise<string> {
  const { runId } = await acceptWorkflowRun(mine.ctx, { workflowId, inputs: {}, timeoutMs: 600_000 });
  await service.ctx.db.query(`update runs set status = 'running', started_at = now() where id = $1`, [runId]);
  return runId;
}

async function aWait(runId: string, kind: 'approval' | 'tool', message = 'Publish it?'): Promise<string> {
  const id = newId();
  await service.ctx.db.query(
    `insert into node_results (run_id, node_key, node_id, type, status, generation, attempt, started_at)
     values ($1, $2::uuid::text, $2::uuid::text, 'approval', 'waiting', 1, 1, now())`,
    [runId, id],
  );
  await service.ctx.db.query(
    `insert into node_waits (run_id, id, node_key, kind, message, details, expires_at)
     values ($1, $2::uuid, $2::uuid::text, $3, $4, '{"to":"all"}', now() + interval '1 hour')`,
    [runId, id, kind, message],
  );
  return `${kind}-${id}`;
}

const answersOf = (runId: string) =>
  service.ctx.db.query<{ decision: string; value: unknown; comment: string | null }[]>(
    'select decision, value, comment from node_waits where run_id = $1 order by id',
    [runId],
  );

describe('run_workflow', () => {
  const start = (options = {}) =>
    resultOf('tools/call', { name: 'run_workflow', arguments: { workflow_id: workflowId, inputs: {} } }, options);

  it('is a task for a client that takes tasks, and a run for any other', async () => {
    const task = await start();
    expect(task).toEqual({
      resultType: 'task',
      taskId: expect.any(String),
      status: 'working',
      statusMessage: 'The run is queued',
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttlMs: null,
      pollIntervalMs: 1000,
      _meta: expect.any(Object),
    });
    expect(await get(String(task['taskId']))).toMatchObject({ resultType: 'complete', status: 'working' });
    expect(await start({ capabilities: {} })).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'pending', workflow_id: workflowId },
    });
  });

  it('ends with the result of the tool and the output, also on another server', async () => {
    const taskId = String((await start())['taskId']);
    const [run] = await claimRuns(service.ctx, [{ runId: taskId, generation: 0, worker: 'test', leaseMs: 60_000 }]);
    if (!run) throw new Error('the run was not claimed');
    const output = {
      id: newId(),
      kind: 'json' as const,
      contentText: null,
      contentJson: { n: 1 },
      isPrimaryOutput: true,
    };
    await finishRuns(service.ctx, [{ ...aFinish(run), artifacts: [output] }]);
    const url = await service.replica();
    const result = { id: taskId, status: 'completed', created_at: expect.any(String), workflow_id: workflowId };
    const ended = await get(taskId, { url });
    expect(ended).toMatchObject({ taskId, status: 'completed', result: { structuredContent: result } });
    expect(ended['result']).toMatchObject({ content: [{ type: 'text' }, { type: 'text', text: '{"n":1}' }] });
    expect(ended['result']).not.toHaveProperty('isError');
  });

  it('ends with a failed result when the run fails, and as cancelled when it is canceled', async () => {
    const failing = await aRunningRun();
    await service.ctx.db.query(
      `update runs set status = 'failed', completed_at = now(), error_code = 'node_failed', error_message = 'The node a has failed'
        where id = $1`,
      [failing],
    );
    const { status, result } = await get(failing);
    expect(status).toBe('completed');
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text' }, { type: 'text', text: 'The run has ended as failed: The node a has failed' }],
    });
    const taskId = await aRunningRun();
    for (let times = 0; times < 2; times += 1)
      expect(await resultOf('tasks/cancel', { taskId })).toEqual({ resultType: 'complete', _meta: expect.any(Object) });
    expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
    expect(await resultOf('tasks/cancel', { taskId: failing })).toMatchObject({ resultType: 'complete' });
  });
});

describe('a task that waits for answers', () => {
  it('has a form for each approval and each tool of its client, and goes on with the answers', async () => {
    const runId = await aRunningRun();
    const [ask, tool] = [await aWait(runId, 'approval'), await aWait(runId, 'tool', 'add')];
    const { status, inputRequests } = await get(runId);
    expect(status).toBe('input_required');
    expect(inputRequests).toEqual({
      [ask]: {
        method: 'elicitation/create',
        params: {
          message: 'Publish it?\n\n{\n  "to": "all"\n}',
          requestedSchema: {
            type: 'object',
            properties: { approve: { type: 'boolean' }, comment: { type: 'string', maxLength: 2000 } },
            required: ['approve'],
          },
        },
      },
      [tool]: {
        method: 'elicitation/create',
        params: {
          message: expect.stringContaining('the tool add'),
          requestedSchema: expect.objectContaining({ required: ['output'] }),
        },
      },
    });
    const approve = { action: 'accept', content: { approve: true, comment: 'yes' } };
    expect((await update(runId, { [ask]: approve, other: 7 })).result).toMatchObject({ resultType: 'complete' });
    expect(Object.keys((await get(runId)).inputRequests ?? {})).toEqual([tool]);
    await update(runId, { [tool]: { action: 'accept', content: { output: '5' } } });
    expect(await get(runId)).toMatchObject({ status: 'working', statusMessage: 'The run is running' });
    const given = [
      { decision: 'approved', value: null, comment: 'yes' },
      { decision: 'received', value: { output: '5' }, comment: null },
    ];
    expect(await answersOf(runId)).toEqual(given);
    // A second answer changes nothing.
    await update(runId, { [ask]: { action: 'decline' } });
    expect(await answersOf(runId)).toEqual(given);
  });

  it('takes a declined form as no, and leaves the question open for a closed one', async () => {
    const runId = await aRunningRun();
    const [ask, tool] = [await aWait(runId, 'approval'), await aWait(runId, 'tool')];
    await update(runId, { [ask]: { action: 'cancel' }, [tool]: { action: 'cancel' } });
    expect(Object.keys((await get(runId)).inputRequests ?? {})).toEqual([ask, tool]);
    await update(runId, { [ask]: { action: 'decline' }, [tool]: { action: 'decline' } });
    expect(await answersOf(runId)).toMatchObject([
      { decision: 'rejected' },
      { value: { error: 'The user declined the call' } },
    ]);
  });

  it('tells a client without forms where to answer', async () => {
    const runId = await aRunningRun();
    const ask = await aWait(runId, 'approval');
    const expected = {
      status: 'working',
      statusMessage: `The run waits for answers: POST /v1/runs/${runId}/approvals/${ask.replace('approval-', '')}`,
    };
    expect(await get(runId, { capabilities: tasks })).toMatchObject(expected);
    const withLinks = { ...tasks, elicitation: { url: {} } };
    expect(await get(runId, { capabilities: withLinks })).toMatchObject(expected);
  });

  it('refuses answers that do not match the form, and stores none of them', async () => {
    const runId = await aRunningRun();
    const [ask, tool] = [await aWait(runId, 'approval'), await aWait(runId, 'tool')];
    const good = { [tool]: { action: 'accept', content: { output: 'x' } } };
    const bad: [unknown, string][] = [
      [7, `params.inputResponses.${ask} must be {"action"`],
      [{ action: 'maybe' }, 'must be {"action"'],
      [{ action: 'accept', content: [] }, 'must be {"action"'],
      [{ action: 'accept' }, `params.inputResponses.${ask}.content: approve is required`],
      [{ action: 'accept', content: { approve: 'yes' } }, 'approve must be'],
      [{ action: 'accept', content: { approve: true, comment: 'x'.repeat(2001) } }, 'comment must'],
    ];
    for (const [answer, message] of bad)
      expect((await update(runId, { ...good, [ask]: answer })).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining(message),
      });
    expect((await rpc('tasks/update', { taskId: runId, inputResponses: null })).error).toMatchObject({ code: -32602 });
    expect(await answersOf(runId)).toMatchObject([{ decision: null }, { decision: null }]);
  });
});

describe('a team run', () => {
  const aTeamRun = async (): Promise<{ runId: string; agentId: string }> => {
    const { id: agentId } = await anAiLenser(mine.ctx);
    const ctx = { ...mine.ctx, actor: platformActor };
    const { id: runId } = await startTeamRun(ctx, { agentId, workflowId, inputs: {}, policy: 'manual' });
    return { runId, agentId };
  };
  /** A worker takes a run that has waited. */
  const begin = (runId: string) =>
    service.ctx.db.query(
      `update runs set status = 'running', started_at = now(), waits_for = null, admitted_at = now() where id = $1`,
      [runId],
    );
  const answer = (approve: boolean) => ({ action: 'accept', content: { approve } });
  const withoutAgents = async () =>
    (await service.aCaller({ held: ['workflows:write', 'workflows:read'] }, mine.accountId)).bearer;

  it('waits for its owner, who may start or cancel it', async () => {
    const { runId } = await aTeamRun();
    const { status, inputRequests } = await get(runId);
    expect([status, Object.keys(inputRequests ?? {})]).toEqual(['input_required', [`start-${runId}`]]);
    const refused = await update(runId, { [`start-${runId}`]: answer(true) }, { bearer: await withoutAgents() });
    expect(refused.error?.message).toContain('agents:write');
    await update(runId, { [`start-${runId}`]: answer(true) });
    expect(await get(runId)).toMatchObject({ status: 'working', statusMessage: 'The run is queued' });
    const other = (await aTeamRun()).runId;
    await update(other, { [`start-${other}`]: answer(false) });
    expect(await get(other)).toMatchObject({ status: 'cancelled' });
  });

  it('is canceled as its AI lenser cancels it, and ends with the result of its tool', async () => {
    const { runId, agentId } = await aTeamRun();
    const refused = await rpc('tasks/cancel', { taskId: runId }, { bearer: await withoutAgents() });
    expect(refused.error?.message).toContain('agents:write');
    await resultOf('tasks/cancel', { taskId: runId });
    const events = await service.ctx.db.query<{ type: string }[]>(
      'select type from agent_events where agent_id = $1 order by sequence',
      [agentId],
    );
    expect(events.at(-1)).toEqual({ type: 'run.ended' });
    const ended = await aTeamRun();
    await begin(ended.runId);
    await service.ctx.db.query(`update runs set status = 'succeeded', completed_at = now() where id = $1`, [
      ended.runId,
    ]);
    expect((await get(ended.runId))['result']).toMatchObject({
      structuredContent: { team_run_id: ended.runId, ai_lenser_id: ended.agentId, status: 'completed' },
    });
  });

  it('asks its owner for the tool calls that its policy says so of', async () => {
    const { runId, agentId } = await aTeamRun();
    await begin(runId);
    const call = { agentId, runId, nodeKey: 'write', toolId: 'run_lens', input: { title: 'A lens' } };
    const approvalId = await requestToolApproval(mine.ctx, call);
    await service.ctx.db.query(
      `insert into agent_tool_calls (run_id, node_key, path, step, position, call_id, name, input, tool_id, state, approval_id)
       values ($1, 'write', '', 1, 1, 'c', 'run_lens', '{}', 'run_lens', 'waiting', $2)`,
      [runId, approvalId],
    );
    const { inputRequests } = await get(runId);
    expect(inputRequests?.[`call-${approvalId}`]?.params.message).toMatch(
      / asks to call run_lens\n\n\{\n {2}"title": "A lens"/,
    );
    const refused = await update(runId, { [`call-${approvalId}`]: answer(true) }, { bearer: await withoutAgents() });
    expect(refused.error?.message).toContain('agents:write');
    await update(runId, { [`call-${approvalId}`]: answer(false) });
    expect(await get(runId)).toMatchObject({ status: 'working' });
    const [decided] = await service.ctx.db.query<unknown[]>('select approval from agent_actions where id = $1', [
      approvalId,
    ]);
    expect(decided).toEqual({ approval: 'denied' });
  });
});

describe('tasks', () => {
  it('are unknown to strangers, and without the scopes of their run', async () => {
    const runId = await aRunningRun();
    const ask = await aWait(runId, 'approval');
    const stranger = (await service.aCaller()).bearer;
    const reader = (await service.aCaller({ held: ['workflows:read'] }, mine.accountId)).bearer;
    const other = (await service.aCaller({ held: ['lenses:read'] }, mine.accountId)).bearer;
    const yes = { [ask]: { action: 'accept', content: { approve: true } } };
    const calls: [string, object][] = [
      ['tasks/get', {}],
      ['tasks/update', { inputResponses: yes }],
      ['tasks/cancel', {}],
    ];
    for (const [method, params] of calls) {
      for (const bearer of [stranger, other])
        expect((await rpc(method, { taskId: runId, ...params }, { bearer })).error).toMatchObject({ code: -32602 });
      for (const taskId of ['x', newId()])
        expect((await rpc(method, { taskId, ...params })).error).toMatchObject({
          code: -32602,
          message: expect.stringContaining('There is no'),
        });
    }
    expect(await get(runId, { bearer: reader })).toMatchObject({ status: 'input_required' });
    for (const [method, params] of calls.slice(1))
      expect((await rpc(method, { taskId: runId, ...params }, { bearer: reader })).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('workflows:write'),
      });
    expect(await answersOf(runId)).toMatchObject([{ decision: null }]);
    expect((await rpc('tasks/get', { taskId: runId }, { bearer: 'lf_mcp_00' })).httpStatus).toBe(401);
  });

  it('need a client that takes them', async () => {
    const runId = await aRunningRun();
    const { httpStatus, error } = await rpc('tasks/get', { taskId: runId }, { capabilities: {} });
    expect([httpStatus, error]).toEqual([
      400,
      { code: -32021, message: expect.any(String), data: { requiredCapabilities: tasks } },
    ]);
  });
});

describe('execute_lens', () => {
  const templateBody = 'Say [[Word]] in [[Style!]], in a sentence that is long enough for a template.';
  const settings = {
    params: [{ label: 'Word', type: 'enum' as const, values: ['sea', 'hill'], description: 'To say.' }],
  };
  const aWaitingLens = () => aLens(mine.ctx, { templateBody, settings });

  it('asks the user for values that a call without any lacks, if the client has forms', async () => {
    const { id: lens_id } = await aWaitingLens();
    const { resultType, inputRequests } = await execute('execute_lens', { lens_id });
    expect(resultType).toBe('input_required');
    expect(inputRequests).toEqual({
      param_values: {
        method: 'elicitation/create',
        params: {
          message: 'The lens needs values: Word',
          requestedSchema: {
            type: 'object',
            properties: {
              Word: { type: 'string', title: 'Word', description: 'To say.', enum: ['sea', 'hill'] },
              Style: { type: 'string', title: 'Style' },
            },
            required: ['Word'],
          },
        },
      },
    });
    const declined = { inputResponses: { param_values: { action: 'decline' } } };
    for (const [more, options] of [
      [declined, {}],
      [{}, { capabilities: tasks }],
    ])
      expect(JSON.stringify(await execute('execute_lens', { lens_id }, more, options))).toContain('MISSING_PARAMS');
    const partly = await execute('execute_lens', { lens_id, param_values: { Style: 'plain' } });
    expect(JSON.stringify(partly)).toContain('MISSING_PARAMS');
  });

  it('is a task for a run that waits for a tool of its client, and has its result', async () => {
    const { id: lens_id } = await aWaitingLens();
    const answer = { inputResponses: { param_values: { action: 'accept', content: { Word: 'sea' } } } };
    const executing = execute('execute_lens', { lens_id, idempotency_key: 'once' }, answer);
    const find = () =>
      service.ctx.db.query<{ id: string }[]>(`select id from runs where status = 'queued' and lens_id = $1`, [lens_id]);
    await until(async () => (await find()).length === 1);
    const [{ id: runId } = { id: '' }] = await find();
    await service.ctx.db.query(
      `update runs set status = 'running', started_at = now(), node_version = 1 where id = $1`,
      [runId],
    );
    const tool = await aWait(runId, 'tool', 'add');
    expect(await executing).toMatchObject({ resultType: 'task', taskId: runId, status: 'input_required' });
    await update(runId, { [tool]: { action: 'accept', content: { output: '5' } } });
    expect(await answersOf(runId)).toMatchObject([{ value: { output: '5' } }]);
  });

  it('has a failed result for a run that fails', async () => {
    const { id: lensId } = await aWaitingLens();
    const { runId } = await acceptLensRun(mine.ctx, {
      lensId,
      params: { Word: 'sea' },
      timeoutMs: 60_000,
      idempotencyKey: 'bad',
    });
    const [run] = await claimRuns(service.ctx, [{ runId, generation: 0, worker: 'test', leaseMs: 60_000 }]);
    if (!run) throw new Error('the run was not claimed');
    await finishRuns(service.ctx, [
      { ...aFinish(run), artifacts: [], failure: { errorCode: 'provider_error', errorMessage: 'no model' } },
    ]);
    const args = { lens_id: lensId, param_values: { Word: 'sea' }, idempotency_key: 'bad' };
    const again = await execute('execute_lens', args);
    expect(again).toMatchObject({ isError: true, structuredContent: { status: 'failed', output: null } });
    expect((await get(runId))['result']).toEqual({
      content: again['content'],
      structuredContent: again['structuredContent'],
      isError: true,
    });
  });
});
