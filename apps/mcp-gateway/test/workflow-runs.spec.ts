import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aWorkflow } from '@lensforge/workflows/testing';
import { McpService, contentOf } from './mcp-service.js';
import { someFixtures } from './examples/fixtures.js';

let service: McpService;
beforeAll(async () => {
  service = await McpService.start();
  // A worker that takes each run in the moment of its acceptance.
  await service.ctx.db.query(`
    create function take_at_once() returns trigger language plpgsql as $$ begin
      update runs set status = 'running', attempt = 1, worker = 'w', lease_until = now() + interval '1 hour', started_at = now()
       where id = new.id;
      return null;
    end $$;
    create trigger taken_at_once after insert on runs for each row execute function take_at_once()`);
});
afterAll(() => service.stop());

interface Started {
  id: string;
  status: string;
}

describe('the tools that start workflow runs', () => {
  it('answer pending for a new run that a worker has started since, and the current status for a repeated key', async () => {
    const { mine } = await someFixtures(service);
    const call = async (name: string, args: object) => contentOf(await service.call(name, args, mine.bearer));
    const { id: workflow_id } = await aWorkflow(mine.ctx);
    const order = { workflow_id, inputs: {}, idempotency_key: 'once' };
    const started = (await call('run_workflow', order)) as Started;
    expect(started.status).toBe('pending');
    expect(await call('get_workflow_run_status', { run_id: started.id })).toMatchObject({ status: 'running' });
    expect(await call('run_workflow', order)).toMatchObject({ id: started.id, status: 'running' });
    await mine.ctx.db.query(
      `update runs set status = 'canceled', completed_at = now(), lease_until = null, worker = null where id = $1`,
      [started.id],
    );
    const retried = (await call('retry_workflow', { run_id: started.id })) as { new_run: Started };
    expect(retried.new_run.status).toBe('pending');
    expect(await call('get_workflow_run_status', { run_id: retried.new_run.id })).toMatchObject({ status: 'running' });
  });
});
