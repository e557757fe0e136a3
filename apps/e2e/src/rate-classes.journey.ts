import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issueToken } from '@lensforge/identity';
import { until } from '@lensforge/testing';
import { TestPlatform } from './test-platform.js';

const perMinute = 20;
/** Bulk operations leave a quarter of a class to requests. */
const forOperations = 15;

let setup: TestPlatform;
let workflowId: string;
let mcpToken: string;
beforeAll(async () => {
  setup = await TestPlatform.open({
    replicas: { 'api-gateway': 2, 'mcp-gateway': 2 },
    environment: { LENSFORGE_RATE_RUN_PER_MINUTE: String(perMinute) },
  });
  const graph = { nodes: [{ id: 'pause', type: 'delay', settings: { seconds: 3600 } }], edges: [] };
  const made = await setup.call('POST', '/v1/workflows', { body: { title: 'Waits', graph } });
  workflowId = String(made.body.data?.['id']);
  const { accountId, ctx } = setup;
  const scopes = ['workflows:write', 'lenses:read'] as const;
  mcpToken = (await issueToken(ctx, { kind: 'mcp', accountId, userId: null, label: 'journey', scopes })).value;
});
afterAll(() => setup.close());

/** Starts a run over REST; returns the remaining runs of the account in this minute. */
async function overRest(gateway: number): Promise<number> {
  const path = `/v1/workflows/${workflowId}/run`;
  const { status, headers } = await setup.call('POST', path, { gateway, body: { inputs: {} } });
  expect([202, 429]).toContain(status);
  return Number(headers.get('ratelimit-remaining'));
}

async function overMcp(replica: number, calls: number): Promise<void> {
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'run_workflow', arguments: { workflow_id: workflowId } },
  });
  const body = calls === 1 ? call(1) : Array.from({ length: calls }, (_, id) => call(id));
  const answer = await fetch(`${setup.platform.urlOf('mcp-gateway', replica)}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mcpToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(await answer.text()).not.toMatch(/isError|THROTTLED/);
}

const operate = async (body: Record<string, unknown>): Promise<string> =>
  String((await setup.call('POST', '/v1/run-operations', { body })).body.data?.['id']);

interface Operation {
  status: string;
  progress: { done: number; failed: number };
}

const operation = async (id: string): Promise<Operation> =>
  (await setup.call('GET', `/v1/run-operations/${id}`)).body.data as unknown as Operation;

describe('the rate class of workflow runs', () => {
  it('is one count over REST, tools, tool batches, schedules and bulk operations at all replicas', async () => {
    let left = perMinute;
    expect(await overRest(0)).toBe((left -= 1));
    expect(await overRest(1)).toBe((left -= 1));
    await overMcp(0, 1);
    await overMcp(1, 3);
    expect(await overRest(0)).toBe((left -= 5));

    const schedule = await setup.call('POST', `/v1/workflows/${workflowId}/schedules`, {
      body: { title: 'Rarely', cron: '0 0 1 1 *', timeZone: 'UTC' },
    });
    const scheduleId = String(schedule.body.data?.['id']);
    await setup.db.query('update schedules set next_at = now() where id = $1', [scheduleId]);
    await until(async () => {
      const { body } = await setup.call('GET', `/v1/schedules/${scheduleId}/ticks`);
      return (body.data as unknown as { outcome: string }[]).some(({ outcome }) => outcome === 'started');
    });
    expect(await overRest(1)).toBe((left -= 2));

    const canceling = await operate({ action: 'cancel', filter: { workflowId } });
    await until(async () => (await operation(canceling)).status === 'succeeded');
    expect(await overRest(0)).toBe((left -= 1));

    // Nine runs were canceled, and eleven of this minute are left, of which an operation may take six.
    const retrying = await operate({ action: 'retry', filter: { workflowId, status: ['canceled'] } });
    const taken = forOperations - (perMinute - left);
    await until(async () => {
      const { status, progress } = await operation(retrying);
      return status === 'queued' && progress.done === taken;
    });
    expect(await overRest(1)).toBe((left -= taken + 1));
    expect(left).toBeGreaterThan(0);

    // In the next minute the operation continues, with each run once.
    await until(async () => (await operation(retrying)).status === 'succeeded', { every: 500 });
    expect((await operation(retrying)).progress).toMatchObject({ done: 9, failed: 0 });
    const again = await setup.db.query<{ parent: string; times: number }[]>(
      `select parent_run_id as parent, count(*)::int as times from runs
        where workflow_id = $1 and parent_run_id is not null group by parent_run_id`,
      [workflowId],
    );
    expect([again.length, new Set(again.map(({ times }) => times))]).toEqual([9, new Set([1])]);
  });
});
