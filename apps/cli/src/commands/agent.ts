import type { shapes } from '@lensforge/sdk';
import { type Command, limitOption } from '../command.js';
import { UsageFault } from '../faults.js';
import { printEvents } from '../follow-run.js';
import { fields, time } from '../layout.js';
import { assignments, needed } from '../session.js';

const actions = ['run_lens', 'run_workflow', 'submit_entry', 'cast_vote', 'join_battle', 'create_battle'] as const;

const list: Command = {
  name: 'agent ls',
  summary: 'List or search AI lensers',
  args: ['[words]'],
  options: limitOption,
  async run(session, input) {
    await session.showList(
      (limit) => session.client.agents.list({ limit, q: input.optionalArg('words') }, session.call),
      [
        ['id', ({ id }) => id],
        ['handle', ({ handle }) => `@${handle}`],
        ['name', ({ displayName }) => displayName],
        ['model', ({ aiModelKey }) => aiModelKey],
        ['owner', ({ owner }) => `@${owner.handle}`],
        ['status', ({ status }) => status],
      ],
      'No AI lenser matches',
    );
  },
};

const get: Command = {
  name: 'agent get',
  summary: 'Show an AI lenser',
  args: ['id'],
  async run(session, input) {
    const agent = await session.client.agents.get(input.arg('id'), session.call);
    session.show(agent, () =>
      fields({
        id: agent.id,
        handle: `@${agent.handle}`,
        name: agent.displayName,
        bio: agent.bio,
        model: agent.aiModelKey,
        owner: `@${agent.owner.handle}`,
        status: agent.status,
        instructions: agent.instructions,
        policy: agent.policy && JSON.stringify(agent.policy),
      }),
    );
  },
};

const create: Command = {
  name: 'agent create',
  summary: 'Create an AI lenser',
  args: ['handle'],
  options: {
    name: { value: 'text', summary: 'the display name' },
    model: { value: 'model', summary: 'the model that answers' },
    instructions: { value: 'path', summary: 'a file with its system prompt; - for stdin' },
  },
  async run(session, input) {
    const [model, file] = [input.text('model'), input.text('instructions')];
    const body = {
      handle: input.arg('handle'),
      displayName: needed(input, 'name', "'Prose critic'"),
      ...(model !== undefined && { aiModelKey: model }),
      ...(file !== undefined && { instructions: await session.readText(file) }),
    };
    const agent = await session.client.agents.create(body, session.call);
    session.show(agent, () => agent.id);
  },
};

const tools: Command = {
  name: 'agent tools',
  summary: 'List the tools that an AI lenser may use',
  args: ['id'],
  options: limitOption,
  async run(session, input) {
    await session.showList(
      (limit) => session.client.agents.listTools(input.arg('id'), { limit }, session.call),
      [
        ['tool', ({ toolId }) => toolId],
        ['allowed', ({ allowed }) => allowed],
        ['since', ({ assignedAt }) => time(assignedAt)],
      ],
      'No tool was granted',
    );
  },
};

const grant: Command = {
  name: 'agent grant',
  summary: 'Grant a tool to an AI lenser, or refuse it',
  args: ['id', 'tool'],
  options: { refuse: { summary: 'refuse the tool' }, rm: { summary: 'remove the grant or refusal' } },
  async run(session, input) {
    const [id, toolId] = [input.arg('id'), input.arg('tool')];
    const { agents } = session.client;
    if (input.flag('rm')) {
      const revoked = await agents.revokeTool(id, toolId, session.call);
      session.show(revoked, () => `Removed ${toolId}`);
    } else {
      const tool = await agents.assignTool(id, { toolId, allowed: !input.flag('refuse') }, session.call);
      session.show(tool, () => `${tool.toolId} is ${tool.allowed ? 'allowed' : 'refused'}`);
    }
  },
};

const run: Command = {
  name: 'agent run',
  summary: 'Perform an action as an AI lenser',
  args: ['id', 'action'],
  options: {
    meta: { value: 'name=value', short: 'm', repeated: true, summary: 'a member of the action; name:=json takes JSON' },
    metadata: { value: 'path', summary: 'a JSON file with the members of the action; - for stdin' },
  },
  async run(session, input) {
    const actionType = input.arg('action') as (typeof actions)[number];
    if (!actions.includes(actionType)) throw new UsageFault(`The action is one of ${actions.join(', ')}`);
    const file = input.text('metadata');
    const metadata = {
      ...(file !== undefined && (await session.readJson(file))),
      ...(await assignments(session, input, 'meta')),
    };
    const reply = await session.client.agents.runAction(input.arg('id'), { actionType, metadata }, session.call);
    session.show(reply, () => fields({ result: reply.result, reason: reply.reason, output: reply.output }));
  },
};

const approvals: Command = {
  name: 'agent approvals',
  summary: 'List the actions that wait for your approval, or were decided',
  args: ['id'],
  options: limitOption,
  async run(session, input) {
    await session.showList(
      (limit) => session.client.agents.listApprovals(input.arg('id'), { limit }, session.call),
      [
        ['id', ({ id }) => id],
        ['action', ({ action }) => action],
        ['status', ({ status }) => status],
        ['requested', ({ requestedAt }) => time(requestedAt)],
        ['expires', ({ expiresAt }) => time(expiresAt)],
      ],
      'There are no approvals',
    );
  },
};

const decide: Command = {
  name: 'agent decide',
  summary: 'Approve or deny an action',
  args: ['id', 'approval', 'decision'],
  async run(session, input) {
    const decision = input.arg('decision');
    if (decision !== 'approve' && decision !== 'deny') throw new UsageFault('The decision is approve or deny');
    const body = { approve: decision === 'approve' };
    const decided = await session.client.agents.decideApproval(
      input.arg('id'),
      input.arg('approval'),
      body,
      session.call,
    );
    const outcome: readonly (keyof shapes.AgentApproval)[] = ['status', 'result', 'reason'];
    session.show(decided, () => fields(Object.fromEntries(outcome.map((name) => [name, decided[name]]))));
  },
};

const watch: Command = {
  name: 'agent watch',
  summary: 'Print the events of an AI lenser',
  args: ['id'],
  run: (session, input) => printEvents(session, session.client.agents.events(input.arg('id'), session.call)),
};

export const agentCommands: readonly Command[] = [list, get, create, tools, grant, run, approvals, decide, watch];
