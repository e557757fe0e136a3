import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import {
  type HeldNode,
  answerWait,
  cancelRun,
  extendNodeLeases,
  listApprovals,
  listNodeResults,
  listOpenRuns,
  listOpenWaits,
  listPendingApprovals,
  listRunNodes,
  listRuns,
  lostNodes,
  moveNodes,
  moveToolCall,
  openWait,
  overdueNodes,
  readNodeLeases,
  readNodeValues,
  readSnapshots,
  readSteps,
  readWorkflowRun,
  requeueNodes,
  reserveForNode,
  storeStep,
} from '@lensforge/runs';
import { aMove } from '@lensforge/runs/testing';
import { aContext, fillDatabase } from '@lensforge/testing';
import {
  getWorkflow,
  listOwnSchedules,
  listScheduleTicks,
  listSchedules,
  listWorkflowsOfLens,
  listWorkflowLabelMoves,
  listWorkflowVersions,
  listWorkflows,
  returnWorkflowLabel,
  saveWorkflowCandidate,
} from '@lensforge/workflows';
import type { DataSource } from 'typeorm';
import { indexesOf } from './query-plan-reader.js';

const owner = newId();
const workflow = newId();
const schedule = newId();
const lens = newId();
const token = 'x'.repeat(43);

/** 20,000 workflows, and 3,000 runs of 12 nodes, few of them unfinished. */
const fill = `
insert into accounts (id, kind, handle, display_name)
  select case when i = 1 then '${owner}'::uuid else gen_random_uuid() end, 'person', 'a-' || i, 'x' from generate_series(1, 1000) i;
begin;
insert into workflows (id, account_id, title, visibility, head_version_id, created_at)
  select case when i = 1 then '${workflow}'::uuid else uuidv7() end, a.id, 'x',
         case when i % 100 = 0 then 'public' when i % 20 = 3 then 'unlisted' else 'private' end, gen_random_uuid(), now() - i * interval '1 minute'
    from (select id, row_number() over (order by handle) as n from accounts) a join generate_series(1, 20000) i on a.n = 1 + i % 1000;
update workflows set account_id = '${owner}' where id = '${workflow}';
insert into lenses (id, account_id, title, visibility, status, head_version_id)
  select case when i = 1 then '${lens}'::uuid else gen_random_uuid() end, '${owner}', 'x', 'private', 'draft', gen_random_uuid()
    from generate_series(1, 2000) i;
insert into lens_versions (id, lens_id, semver, template_body, params) select head_version_id, id, '1.0.0', 'x', '[]' from lenses;
insert into lens_labels select id, 'production', head_version_id from lenses;
insert into workflow_versions (id, workflow_id, number, graph)
  select w.head_version_id, w.id, 1, '{"nodes": [], "edges": []}' from workflows w;
commit;
insert into workflow_labels (workflow_id, label, version_id, updated_at)
  select id, 'production', head_version_id, now() from workflows;
insert into workflow_label_moves (id, workflow_id, label, version_id, kind, credential_kind, moved_at)
  select uuidv7(), id, 'production', head_version_id, 'set', 'session', now() from workflows;
insert into schedules (id, workflow_id, account_id, title, cron, time_zone, inputs, overlap, missed, enabled, next_at)
  select case when w.id = '${workflow}' then '${schedule}'::uuid else gen_random_uuid() end, w.id, w.account_id, 'x', '0 0 1 1 *', 'UTC', '{}', 'skip', 'skip', true, now()
    from workflows w;
insert into schedule_ticks (schedule_id, tick_at, outcome)
  select s.id, now() - n * interval '1 day', 'started' from schedules s, generate_series(1, 2) n;
insert into runs (id, request_id, account_id, kind, workflow_id, workflow_version_id, status, params, deadline_at, completed_at, last_sequence,
                  node_version, attempt, parent_run_id, cause)
  select uuidv7(i * interval '1 ms'), uuidv7(), '${owner}', 'workflow', '${workflow}', gen_random_uuid(),
         case when i > 2900 then 'running' else 'succeeded' end, '{}', now() + interval '1 hour', case when i <= 2900 then now() end, 1, 1, 1,
         case when i % 10 = 1 then uuidv7() end, case when i % 10 = 1 then '{"kind": "node"}'::jsonb end
    from generate_series(1, 3000) i;
insert into node_results (run_id, node_key, node_id, type, status, attempt, lease_until, due_at, completed_at)
  select r.id, 'n' || n, 'n' || n, 'lens', s.status, 1, case s.status when 'running' then now() + interval '1 hour' end,
         case s.status when 'waiting' then now() - interval '1 minute' end, case s.status when 'succeeded' then now() end
    from runs r, generate_series(1, 12) n,
         lateral (select case when r.status = 'succeeded' or n < 9 then 'succeeded' when n = 9 then 'running' when n < 12 then 'queued' else 'waiting' end as status) s;
insert into node_waits (run_id, id, node_key, kind, token_hash, expires_at)
  select id, gen_random_uuid(), 'n12', case when n = 1 then 'webhook' else 'approval' end,
         case when n = 1 then sha256(case when id = (select max(id::text)::uuid from runs) then '${token}' else id::text end::bytea) end, now() + interval '1 hour'
    from runs, generate_series(1, 2) n;
insert into agent_steps (run_id, node_key, path, step, status, completed_at)
  select id, 'n1', '', n, 'done', now() from runs, generate_series(1, 5) n;
insert into agent_tool_calls (run_id, node_key, path, step, position, call_id, name, input, state, result)
  select id, 'n1', '', n, 1, 'c', 'get_lens', '{}', 'done', 'x' from runs, generate_series(1, 5) n`;

let database: TestDatabase;
let source: DataSource;
let runId: string;
let held: HeldNode;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  await fillDatabase(database.url, fill);
  [{ id: runId }] = await source.query<[{ id: string }]>('select max(id::text) as id from runs');
  held = { runId, nodeKey: 'n9', attempt: 1 };
});
afterAll(() => database.close());

const own = ({ db }: Context): Context => aContext(db, { accountId: owner });
const move = () => {
  const jobs = [{ key: 'n13', generation: 0, delayMs: 0 }];
  return aMove(runId, { nodeKey: 'n9', version: 1, attempt: null, workflowId: workflow, jobs });
};

const aCall = { callId: 'c', name: 'get_lens', input: {}, metadata: null, toolId: 'get_lens' };
const aStep = {
  path: '',
  step: 1,
  agentId: null,
  text: 'Done.',
  tokenInput: 1,
  tokenOutput: 1,
  cost: 0,
  hold: 0,
  maxCredits: null,
  reduced: 0,
  activeMs: 1,
  calls: [aCall],
  events: [],
};
const aResult = {
  path: '',
  step: 1,
  position: 1,
  from: ['pending'],
  state: 'done',
  result: 'x',
  isError: false,
} as const;

const ofSteps = /^(agent_steps|agent_tool_calls|bitmap) by agent_(steps|tool_calls)_pkey$/;
const byRun = /^(runs|bitmap) by runs_(pkey|parent|running)$/;
const ofNodes = /^(node_results|bitmap) by node_results_pkey$/;
const ofWaits = /^(node_waits|bitmap) by node_waits_(pkey|node|token)$/;
const inFlight = /^(node_results|bitmap) by node_results_(running|queued|due)$/;
const ofList =
  /^(workflows|workflow_versions|accounts|bitmap) by (workflows_(own|public|pkey)|workflow_versions_(pkey|number|candidate)|accounts_pkey)$/;
const ofLens = /^(lenses|lens_versions|lens_labels|bitmap) by (lenses|lens_versions|lens_labels)_pkey$/;
const ofLabels = /^workflow_label(s|_moves) by workflow_label(s_pkey|_moves_newest)$/;
const ofSchedules = /^(schedules|schedule_ticks|bitmap) by schedule(s|_ticks)_(pkey|workflow)$/;
const ofRuns = /^(runs|bitmap) by runs_(workflow|account|in_flight|waiting|queued|running|ended_target)$/;

const calls: [string, (ctx: Context) => Promise<unknown>, RegExp[]][] = [
  ['listing workflows', (ctx) => listWorkflows(own(ctx)), [ofList]],
  [
    'listing those of one owner',
    (ctx) => listWorkflows(own(ctx), { accountId: owner, visibility: 'private' }),
    [ofList],
  ],
  ['listing those that use a lens', (ctx) => listWorkflowsOfLens(own(ctx), lens, { limit: 20 }), [ofList, ofLens]],
  ['reading one', (ctx) => getWorkflow(own(ctx), workflow), [ofList, ofSchedules, ofLabels]],
  [
    'saving a candidate',
    (ctx) =>
      saveWorkflowCandidate(own(ctx), {
        workflowId: workflow,
        graph: { nodes: [{ id: 'a', type: 'delay', settings: { seconds: 1 } }], edges: [] },
      }),
    [ofList],
  ],
  ['listing versions', (ctx) => listWorkflowVersions(own(ctx), { workflowId: workflow }), [ofList]],
  [
    'listing the moves of labels',
    (ctx) => listWorkflowLabelMoves(own(ctx), workflow, { limit: 20 }),
    [ofList, /^workflow_label_moves by workflow_label_moves_newest$/],
  ],
  [
    'moving a label back',
    (ctx) => returnWorkflowLabel(own(ctx), { workflowId: workflow, label: 'production' }).catch(() => undefined),
    [ofList, ofLabels],
  ],
  ['listing schedules', (ctx) => listSchedules(own(ctx), { workflowId: workflow, limit: 100 }), [ofList, ofSchedules]],
  [
    'listing the schedules of all workflows',
    (ctx) => listOwnSchedules(own(ctx), { limit: 100 }),
    [ofList, /^(schedules|schedule_ticks|bitmap) by schedule(s_account|_ticks_pkey)$/],
  ],
  ['listing ticks', (ctx) => listScheduleTicks(own(ctx), { scheduleId: schedule }), [ofList, ofSchedules]],
  [
    'listing runs of a workflow',
    (ctx) => listRuns(own(ctx), { kind: 'workflow', workflowId: workflow, limit: 20 }),
    [ofRuns, /^(lens|workflow)(e?s|_versions) by \w+_pkey$/],
  ],
  ['reading what a run has cost', (ctx) => readWorkflowRun(own(ctx), runId), [byRun, ofNodes]],
  ['listing its nodes by their start', (ctx) => listNodeResults(own(ctx), runId), [byRun, ofNodes]],
  ['listing its nodes by their keys', (ctx) => listRunNodes(own(ctx), { runId, limit: 20 }), [byRun, ofNodes]],
  ['listing its approvals', (ctx) => listApprovals(own(ctx), { runId, limit: 100 }), [byRun, ofWaits]],
  [
    'listing what it waits for',
    async (ctx) => listOpenWaits(ctx, await listOpenRuns(ctx, runId)),
    [byRun, ofRuns, ofWaits],
  ],
  [
    'listing the approvals that wait for their owner',
    (ctx) => listPendingApprovals(own(ctx), { limit: 100 }),
    [ofRuns, ofWaits, ofList],
  ],
  ['reading where nodes stand', (ctx) => readSnapshots(ctx, [runId]), [byRun, ofNodes]],
  ['reading what they came to', (ctx) => readNodeValues(ctx, runId, ['n1', 'n2'], 1000), [ofNodes]],
  ['moving nodes', (ctx) => moveNodes(ctx, [move()]), [byRun, ofNodes]],
  ['extending leases', (ctx) => extendNodeLeases(ctx, [held], 1000), [ofNodes, inFlight]],
  ['looking whether they are ours', (ctx) => readNodeLeases(ctx, [held]), [ofNodes, inFlight]],
  ['looking for lost nodes', (ctx) => lostNodes(ctx, 500), [inFlight]],
  ['looking for late nodes', (ctx) => overdueNodes(ctx, { lateMs: 1000, limit: 500 }), [inFlight]],
  [
    'posting late nodes again',
    (ctx) => requeueNodes(ctx, [{ runId, nodeKey: 'n12', generation: 0, jobId: 'x' }], { lateMs: 1000, againMs: 1000 }),
    [ofNodes, inFlight],
  ],
  [
    'looking at a budget',
    async (ctx) => {
      await ctx.db.query('update runs set budget_credits = 0 where id = $1', [runId]);
      return reserveForNode(ctx, held, {
        amount: 1,
        payerAccountId: null,
        limits: [],
        terms: { tokenInput: 1, creditsPer1kInput: 1, creditsPer1kOutput: 1 },
      });
    },
    [byRun, ofNodes, inFlight],
  ],
  ['storing the step of an agent', (ctx) => storeStep(ctx, held, aStep), [byRun, ofNodes, inFlight, ofSteps]],
  [
    'storing a paid step of an agent',
    (ctx) => storeStep(ctx, held, { ...aStep, hold: 1 }),
    [byRun, ofNodes, inFlight, ofSteps],
  ],
  ['storing the result of a tool', (ctx) => moveToolCall(ctx, held, aResult), [byRun, ofNodes, inFlight, ofSteps]],
  ['reading the steps of agents', (ctx) => readSteps(ctx, held), [ofSteps]],
  ['opening an address', (ctx) => openWait(own(ctx), { runId, nodeKey: 'n12' }), [byRun, ofWaits]],
  ['answering at an address', (ctx) => answerWait(ctx, token, {}), [byRun, ofWaits, ofNodes]],
  ['canceling a run', (ctx) => cancelRun(own(ctx), runId), [byRun, ofNodes, inFlight, ofRuns, ofSteps]],
];

describe('a query on workflows uses an index:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(source, call);
    expect(ways.length).toBeGreaterThan(0);
    for (const way of ways) expect([way, expected.some((one) => one.test(way))]).toEqual([way, true]);
  });
});
