import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { assignTool, limitTeamRuns, startTeamRun } from '@lensforge/agents';
import { newId } from '@lensforge/core';
import { grantCredits } from '@lensforge/credits';
import { importModels } from '@lensforge/models';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, withConcurrency } from './test-platform.js';

const killEveryMs = 3000;

const call = (name: string, input: object) => ({ name, input });
const makeLens = (title: string) =>
  call('create_lens', { title, template_body: 'Greet the reader of this text in one friendly sentence.' });

interface Agent {
  agentId: string;
  handle: string;
}

interface Made {
  title: string;
  count: number;
}

interface StoredRun {
  status: string;
  errorCode: string | null;
  spent: number;
  /** The steps that are stored and what they cost. */
  steps: number;
  ofSteps: number;
  calls: number;
}

/** Creates an AI lenser that the offline provider speaks for. */
async function anAgent(
  setup: TestPlatform,
  name: string,
  script: readonly object[],
  tools: readonly string[],
): Promise<Agent> {
  const handle = `${name}-${newId()}`;
  const instructions = `@offline ${JSON.stringify({ script })}`;
  const body = { handle, displayName: name, aiModelKey: 'offline/team', instructions };
  const { body: reply } = await setup.call('POST', '/v1/agents', { body });
  const agentId = String(reply.data?.['id']);
  for (const toolId of tools) await assignTool(setup.ctx, { agentId, toolId, allowed: true });
  return { agentId, handle };
}

/** A member calls a tool in each of five steps. */
const aMember = (setup: TestPlatform, name: string): Promise<Agent> => {
  const steps = [1, 2, 3, 4, 5].map((n) => ({ delayMs: 100, calls: [makeLens(`${name} ${n}`)] }));
  return anAgent(setup, name, [...steps, { say: `${name} is done.` }], ['create_lens']);
};

/** Kills a worker every few seconds until stopped, after as many steps as teams go on; returns the number of kills. */
function killWorkers(setup: TestPlatform, maxKills: number): { stop(): Promise<number> } {
  let over = false;
  const progress = async (): Promise<{ steps: number; teams: number }> => {
    const [row] = await setup.db.query<[{ steps: number; teams: number }]>(
      `select (select count(*)::int from agent_steps where status = 'done') as steps,
              (select count(*)::int from runs where status in ('queued', 'running')) as teams`,
    );
    return row;
  };
  const killing = (async () => {
    let kills = 0;
    let before = 0;
    // On a busy machine workers may start more slowly than they are killed.
    const goesOn = async (): Promise<boolean> => {
      const { steps, teams } = await progress();
      return over || steps - before >= Math.max(teams, 1);
    };
    for (; !over; kills += 1) {
      if (kills === maxKills) break;
      await pause(killEveryMs);
      await until(goesOn, { what: 'steps of the teams' });
      before = (await progress()).steps;
      await setup.signal('run-worker', 'SIGKILL');
    }
    return kills;
  })();
  return {
    stop: () => {
      over = true;
      return killing;
    },
  };
}

/** Starts teams of three agents while workers are killed, and expects that each piece of their work is done once. */
export async function expectTeamsUnderKills(teamRuns: number, maxKills = Number.POSITIVE_INFINITY): Promise<void> {
  // A worker that dies with few nodes in hand costs few attempts; a node may fail that loses three workers without any progress.
  const setup = await TestPlatform.open({
    replicas: { 'run-worker': 3 },
    environment: { LENSFORGE_NODE_CONCURRENCY: '5', LENSFORGE_INVARIANTS_MS: '1000' },
  });
  try {
    limitTeamRuns(setup.db, 10 * teamRuns);
    await expectWorkOnce(setup, teamRuns, maxKills);
  } finally {
    await setup.close();
  }
}

async function expectWorkOnce(setup: TestPlatform, teamRuns: number, maxKills: number): Promise<void> {
  await grantCredits(setup.ctx, { accountId: setup.accountId, amount: 10_000_000 });
  const prices = { creditsPer1kInput: 100, creditsPer1kOutput: 100, maxOutputTokens: 100 };
  await importModels(setup.ctx, [{ provider: 'offline', key: 'team', ...prices, capabilities: ['tools'] }]);
  const members = [await aMember(setup, 'first'), await aMember(setup, 'second')];
  const asks = members.map(({ handle }) => call(`agent:${handle}`, { task: 'Do your part.' }));
  const script = [
    { calls: [makeLens('lead 1'), makeLens('lead 2')] },
    { calls: asks },
    { calls: [makeLens('lead 3')] },
    { say: '{{3}} {{4}}' },
  ];
  const tools = ['create_lens', ...members.map(({ handle }) => `agent:${handle}`)];
  const { agentId, handle } = await anAgent(setup, 'lead', script, tools);
  const graph = { nodes: [{ id: 'work', type: 'agent', settings: { agent: handle, prompt: 'Lead the team.' } }] };
  const { body } = await setup.call('POST', '/v1/workflows', { body: { title: 'A team' } });
  const workflowId = String(body.data?.['id']);
  expect((await setup.call('PUT', `/v1/workflows/${workflowId}/graph`, { body: { graph } })).status).toBe(200);

  const killing = killWorkers(setup, maxKills);
  const started = await withConcurrency(teamRuns, 10, () =>
    startTeamRun(setup.ctx, { agentId, workflowId, inputs: {}, policy: 'auto' }),
  );
  try {
    await setup.allEnded(400_000);
  } finally {
    const kills = await killing.stop();
    process.stdout.write(`teams: ${JSON.stringify({ teamRuns, kills })}\n`);
    expect(kills).toBeGreaterThan(1);
  }

  const runIds = started.map(({ id }) => id);
  const runs = await setup.db.query<StoredRun[]>(
    `select r.status, r.error_code as "errorCode", r.spent_credits::int as spent,
            (select count(*) from agent_steps s where s.run_id = r.id and s.status = 'done')::int as steps,
            (select sum(cost_credits) from agent_steps s where s.run_id = r.id)::int as "ofSteps",
            (select count(*) from agent_tool_calls c where c.run_id = r.id and c.state = 'done' and not c.is_error)::int as calls
       from runs r where r.id = any ($1)`,
    [runIds],
  );
  const outcomes = countBy(runs.map(({ status, errorCode }) => errorCode ?? status));
  // A node fails that loses three workers in a row without any progress.
  const { succeeded = 0, WORKER_LOST: lost = 0 } = outcomes;
  process.stdout.write(`teams: ${JSON.stringify(outcomes)}\n`);
  expect(succeeded + lost).toBe(teamRuns);
  expect(succeeded).toBeGreaterThanOrEqual(0.8 * teamRuns);
  const failed = await setup.db.query<{ toolId: string; state: string; result: string }[]>(
    `select tool_id as "toolId", state, left(result, 300) as result from agent_tool_calls
      where run_id = any ($1) and (state <> 'done' or is_error) and exists (
        select from runs r where r.id = run_id and r.status = 'succeeded')`,
    [runIds],
  );
  expect(failed).toEqual([]);
  const whole = runs.filter(({ status }) => status === 'succeeded');
  expect(countBy(whole.map(({ steps, calls }) => `${steps} steps, ${calls} calls`))).toEqual({
    '16 steps, 15 calls': succeeded,
  });
  for (const { spent, ofSteps } of runs) expect(spent).toBe(ofSteps);
  // Each call that has a result has made one lens, and no lens was made without one.
  const ofCalls = await setup.db.query<Made[]>(
    `select input ->> 'title' as title, count(*)::int as count from agent_tool_calls
      where run_id = any ($1) and tool_id = 'create_lens' and state = 'done' and not is_error group by 1 order by 1`,
    [runIds],
  );
  const lenses = await setup.db.query<Made[]>(
    `select title, count(*)::int as count from lenses where title ~ '^(lead|first|second) \\d$' group by 1 order by 1`,
  );
  expect(lenses).toHaveLength(13);
  expect(lenses).toEqual(ofCalls);
  expect(await setup.findings()).toEqual(nothingFound);
  await setup.invariantsHold();
}
