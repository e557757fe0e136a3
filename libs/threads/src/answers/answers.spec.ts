import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assignTool, countAgentRun, listAgentEvents, ownAgent, revokeTool } from '@lensforge/agents';
import { type AiLenserPolicy, jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { updateAiLenser } from '@lensforge/identity';
import { type AiLenserTraits, anAiLenser } from '@lensforge/identity/testing';
import { aPricedModel } from '@lensforge/models/testing';
import { cancelRun, claimRuns, finishRuns, readRun } from '@lensforge/runs';
import { aFinish } from '@lensforge/runs/testing';
import { type ThreadFixture, outcomeOf, threadFixture } from '../../test/thread-fixture.js';
import {
  answerMention,
  deleteMessage,
  editMessage,
  hideMessage,
  listMessages,
  muteMember,
  postAnswer,
  readMessage,
  readThreadEvents,
  updateThread,
} from '../index.js';
import { aMessage, aThread } from '../testing.js';
import type { AnswerTask } from './answer-task.js';

let fixture: ThreadFixture;
let ada: Context;
let eve: Context;
beforeAll(async () => {
  fixture = await threadFixture();
  [ada, eve] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

const capped: Partial<AiLenserPolicy> = { actions: { run_lens: 'allow' }, runsPerDay: 100 };

/** An AI lenser of Ada with the grant that answers need. */
async function anAgent(traits: AiLenserTraits) {
  const agent = await anAiLenser(ada, traits);
  await assignTool(ada, { agentId: agent.id, toolId: 'run_lens', allowed: true });
  return agent;
}

const decisionsOf = async (agentId: string) => {
  const { items } = await listAgentEvents(ada, { agentId, eventType: 'tool.decided', limit: 20 });
  return items.map(({ runId, payload }) => ({ runId, ...payload }));
};

interface MentionTraits extends AiLenserTraits {
  by?: Context;
  threadId?: string;
  parentId?: string;
}

/** Posts a message that mentions a new AI lenser of Ada, in a public thread of Ada. */
async function aMention({ by = eve, threadId, parentId, ...traits }: MentionTraits = {}) {
  const agent = await anAgent({ policy: capped, instructions: 'Be brief.', ...traits });
  const thread = threadId === undefined ? await aThread(ada) : { id: threadId };
  const text = `@${agent.handle}, what is a lens?`;
  const message = await aMessage(by, thread, { text, ...(parentId !== undefined && { parentId }) });
  const mention = { messageId: message.id, agentId: agent.id };
  return { agent, threadId: thread.id, mention, ref: { threadId: thread.id, messageId: message.id } };
}
type Mention = Awaited<ReturnType<typeof aMention>>;

const tasks: AnswerTask[] = [];
const start = ({ mention }: Pick<Mention, 'mention'>, ctx = fixture.platform) =>
  answerMention(ctx, mention, {
    timeoutMs: 60_000,
    promptOf: (task) => {
      tasks.push(task);
      return `Answer as ${task.handle}`;
    },
  });
const answerOf = async ({ ref }: Mention, ctx = ada) => (await readMessage(ctx, ref)).answers[0];
const runOf = async (mention: Mention) => (await answerOf(mention))?.runId ?? '';

/** Starts the run of a mention and ends it with this output. */
async function finish(mention: Mention, output = 'A versioned prompt.'): Promise<string> {
  const runId = await runOf(mention);
  const [run] = await claimRuns(fixture.platform, [{ runId, generation: 0, worker: 'spec', leaseMs: 60_000 }]);
  const artifact = {
    id: newId(),
    kind: 'text',
    contentText: output,
    contentJson: null,
    isPrimaryOutput: true,
  } as const;
  await finishRuns(fixture.platform, [aFinish(run!, { artifacts: [artifact] })]);
  return runId;
}

describe('a mention of an AI lenser', () => {
  it('is answered by a run of its owner, in a reply', async () => {
    const mention = await aMention({ aiModelKey: 'offline/echo' });
    const { threadId } = mention;
    await start(mention);
    const runId = await runOf(mention);
    expect(await readRun(ada, runId)).toMatchObject({ status: 'queued', modelKey: 'echo', providerKey: 'offline' });
    expect(await outcomeOf(readRun(eve, runId))).toBe('NOT_FOUND');
    await finish(mention);
    await postAnswer(fixture.platform, runId);
    const { items } = await listMessages(eve, { threadId, limit: 10 });
    expect(items[1]).toMatchObject({
      parentId: mention.ref.messageId,
      author: { id: mention.agent.id, kind: 'ai' },
      text: 'A versioned prompt.',
    });
    const forEve = { agent: { id: mention.agent.id }, status: 'answered', messageId: items[1]?.id };
    expect(await answerOf(mention, eve)).toMatchObject({ ...forEve, runId: null });
    const events = await readThreadEvents(ada, threadId, 0, 10);
    expect(events.map(({ eventType, payload }) => [eventType, payload['status']])).toEqual([
      ['message.posted', undefined],
      ['answer.changed', 'running'],
      ['message.posted', undefined],
      ['answer.changed', 'answered'],
    ]);
  });

  it('is answered once when its jobs come twice, also at the same time', async () => {
    const mention = await aMention();
    await Promise.all([start(mention), start(mention), start(mention)]);
    await start(mention);
    const runs = await ada.db.query<object[]>(`select from runs where cause ->> 'messageId' = $1`, [
      mention.ref.messageId,
    ]);
    expect(runs).toHaveLength(1);
    const runId = await finish(mention);
    await Promise.all([postAnswer(fixture.platform, runId), postAnswer(fixture.platform, runId)]);
    await postAnswer(fixture.platform, runId);
    expect((await listMessages(ada, { threadId: mention.threadId, limit: 10 })).items).toHaveLength(2);
    expect((await readThreadEvents(ada, mention.threadId, 0, 10)).map(({ sequence }) => sequence)).toEqual([
      1, 2, 3, 4,
    ]);
  });

  it('enqueues a job for each AI lenser with the message, and one with the end of its run', async () => {
    const mention = await aMention();
    const outbox = (job: string, member: string, id: string) =>
      ada.db.query<object[]>(
        `select (payload ->> 'outboxId')::uuid = id as "hasItsId", job_id = id || '-g0' as "hasJobId"
           from outbox where job = $1 and payload ->> '${member}' = $2`,
        [job, id],
      );
    const one = [{ hasItsId: true, hasJobId: true }];
    expect(await outbox(jobs.answerMention.name, 'messageId', mention.ref.messageId)).toEqual(one);
    await start(mention);
    const runId = await runOf(mention);
    expect(await outbox(jobs.postAnswer.name, 'runId', runId)).toEqual([]);
    await finish(mention);
    expect(await outbox(jobs.postAnswer.name, 'runId', runId)).toEqual(one);
  });

  it('gets the earlier messages that are visible, and for a reply those of its conversation', async () => {
    const thread = await aThread(ada, { title: 'Lenses' });
    const one = await aMessage(eve, thread, { text: 'one' });
    await aMessage(eve, thread, { text: 'two' });
    const hidden = await aMessage(eve, thread, { text: 'hidden' });
    await hideMessage(ada, { threadId: thread.id, messageId: hidden.id, hidden: true });
    const deleted = await aMessage(eve, thread, { text: 'deleted' });
    await deleteMessage(eve, { threadId: thread.id, messageId: deleted.id });
    await aMessage(ada, thread, { text: 'reply', parentId: one.id });
    await start(await aMention({ threadId: thread.id }));
    expect(tasks.at(-1)).toMatchObject({
      title: 'Lenses',
      instructions: 'Be brief.',
      before: [{ text: 'one' }, { text: 'two' }, { text: 'reply' }],
      mention: { text: expect.stringMatching(/what is a lens\?$/) },
    });
    await start(await aMention({ threadId: thread.id, parentId: one.id }));
    expect(tasks.at(-1)?.before.map(({ text }) => text)).toEqual(['one', 'reply']);
  });

  it('by an AI lenser, or added by an edit, is not answered', async () => {
    const { agent, threadId } = await aMention();
    const own = { ...ada, actor: { ...ada.actor, accountId: agent.id } };
    const { id: messageId } = await aMessage(own, { id: threadId }, { text: `@${agent.handle}` });
    expect((await readMessage(ada, { threadId, messageId })).answers).toEqual([]);
    const { id } = await aMessage(eve, { id: threadId });
    await editMessage(eve, { threadId, messageId: id, text: `@${agent.handle}` });
    expect((await readMessage(ada, { threadId, messageId: id })).answers).toEqual([]);
  });

  it('of a private thread is answered only by AI lensers of its owner', async () => {
    const mine = await aThread(ada, { visibility: 'private' });
    const other = await aThread(eve, { visibility: 'private' });
    const [answered, declined] = [
      await aMention({ by: ada, threadId: mine.id }),
      await aMention({ by: eve, threadId: other.id }),
    ];
    await start(answered);
    expect(await answerOf(answered)).toMatchObject({ status: 'running' });
    await start(declined);
    expect(await answerOf(declined, eve)).toMatchObject({ status: 'declined', runId: null, reason: null });
  });
});

describe('an AI lenser declines', () => {
  const policies: [string, Partial<AiLenserPolicy>, boolean, boolean][] = [
    ['without a rule for run_lens', { runsPerDay: 5 }, false, false],
    ['that must not use run_lens', { actions: { run_lens: 'deny' }, runsPerDay: 5 }, false, false],
    ['that asks before run_lens', { actions: { run_lens: 'ask' }, runsPerDay: 5 }, true, false],
    ['that may use run_lens without a cap', { actions: { run_lens: 'allow' } }, true, false],
    ['that may use run_lens under a cap of runs', capped, true, true],
    ['that may use run_lens under a cap of credits', { actions: { run_lens: 'allow' }, creditsPerDay: 5 }, true, true],
    ['whose cap is 0', { actions: { run_lens: 'allow' }, runsPerDay: 0 }, false, false],
  ];
  it.each(policies)('or answers by its policy: one %s', async (_, policy, owner, stranger) => {
    for (const [by, expected] of [
      [ada, owner],
      [eve, stranger],
    ] as const) {
      const mention = await aMention({ policy, by });
      await start(mention);
      const answer = await answerOf(mention);
      expect(answer?.status).toBe(expected ? 'running' : 'declined');
      expect(typeof answer?.reason).toBe(expected ? 'object' : 'string');
      expect((await answerOf(mention, eve))?.reason).toBeNull();
    }
  });

  it.each([
    ['nobody', false],
    ['communities', false],
    ['anyone', true],
  ] as const)('or answers by the consent of its owner: one that %s may use', async (usableBy, answers) => {
    for (const [by, expected] of [
      [ada, true],
      [eve, answers],
    ] as const) {
      const mention = await aMention({ usableBy, by });
      await start(mention);
      expect((await answerOf(mention))?.status).toBe(expected ? 'running' : 'declined');
    }
  });

  it('when it is archived, muted, or its message or thread is closed before the run', async () => {
    const changes: ((mention: Mention) => Promise<unknown>)[] = [
      ({ agent }) => ada.db.query('update ai_lensers set archived_at = now() where account_id = $1', [agent.id]),
      ({ agent, threadId }) => muteMember(ada, { threadId, accountId: agent.id }),
      ({ ref }) => deleteMessage(eve, ref),
      ({ ref }) => hideMessage(ada, { ...ref, hidden: true }),
      ({ threadId }) => updateThread(ada, { threadId, status: 'closed' }),
    ];
    for (const change of changes) {
      const [before, after] = [await aMention(), await aMention()];
      await change(before);
      await start(before);
      expect(await answerOf(before)).toMatchObject({ status: 'declined', runId: null });
      await start(after);
      await change(after);
      await postAnswer(fixture.platform, await finish(after));
      expect(await answerOf(after)).toMatchObject({ status: 'declined', messageId: null });
      expect((await listMessages(ada, { threadId: after.threadId, limit: 10 })).items).toHaveLength(1);
    }
  });

  it('beyond its runs of a UTC day, counted over concurrent mentions', async () => {
    const agent = await anAgent({ policy: { actions: { run_lens: 'allow' }, runsPerDay: 3 } });
    const messages = await Promise.all(
      Array.from({ length: 10 }, async () => aMessage(eve, await aThread(ada), { text: `@${agent.handle}` })),
    );
    await Promise.all(messages.map(({ id }) => start({ mention: { messageId: id, agentId: agent.id } })));
    const count = async () => {
      const [{ runs }] = await ada.db.query<[{ runs: number }]>(
        `select count(*)::int as runs from runs where cause ->> 'agentId' = $1`,
        [agent.id],
      );
      return runs;
    };
    expect(await count()).toBe(3);
    const refused = (await decisionsOf(agent.id)).filter((each) => 'verdict' in each && each.verdict === 'deny');
    expect(refused).toEqual(
      Array.from({ length: 7 }, () => ({ runId: null, toolId: 'run_lens', verdict: 'deny', reason: 'runs_per_day' })),
    );
    await ada.db.query('update agent_days set day = day - 1 where agent_id = $1', [agent.id]);
    const { id } = await aMessage(eve, await aThread(ada), { text: `@${agent.handle}` });
    await start({ mention: { messageId: id, agentId: agent.id } });
    expect(await count()).toBe(4);
  });

  it('beyond a cap that its actions have used up', async () => {
    const mention = await aMention({ policy: { actions: { run_lens: 'allow' }, runsPerDay: 1 } });
    await countAgentRun(ada, await ownAgent(ada, mention.agent.id), 'action');
    await start(mention);
    expect(await answerOf(mention)).toMatchObject({
      status: 'declined',
      reason: 'The policy of the AI lenser allows 1 runs a day (UTC)',
    });
  });

  it('a run that may cost more than is left of its credits of the day', async () => {
    const { key } = await aPricedModel(fixture.ctx);
    await ada.db.query('insert into credit_accounts (account_id, available, held) values ($1, 100000, 0)', [
      ada.actor.accountId,
    ]);
    const agent = await anAgent({
      policy: { actions: { run_lens: 'allow' }, creditsPerDay: 1_000 },
      aiModelKey: key,
    });
    const thread = await aThread(ada);
    const mention = async () => {
      const { id: messageId } = await aMessage(eve, thread, { text: `@${agent.handle}` });
      await start({ mention: { messageId, agentId: agent.id } });
      return (await readMessage(ada, { threadId: thread.id, messageId })).answers[0];
    };
    const heldCredits = async () => {
      const [use] = await ada.db.query<[{ held: number }]>('select held::int as held from credit_uses where id = $1', [
        agent.id,
      ]);
      return use.held;
    };
    expect(await mention()).toMatchObject({ status: 'running' });
    const ofOneRun = await heldCredits();
    expect(ofOneRun).toBeGreaterThan(0);
    const policy = { actions: { run_lens: 'allow' }, creditsPerDay: ofOneRun * 2, runsPerDay: null } as const;
    await updateAiLenser(ada, { aiLenserId: agent.id, policy });
    expect(await mention()).toMatchObject({ status: 'running' });
    const last = await mention();
    expect(await heldCredits()).toBe(ofOneRun * 2);
    expect(last?.status).toBe('declined');
    expect(last?.reason).toContain(`This AI lenser may spend ${ofOneRun * 2} credits a day (UTC): `);
    expect((await decisionsOf(agent.id)).at(-1)).toMatchObject({ verdict: 'deny', reason: 'credits_per_day' });
  });

  it('without a grant of run_lens, or with a refusal of it', async () => {
    const [revoked, refused, granted] = [await aMention(), await aMention(), await aMention()];
    await revokeTool(ada, { agentId: revoked.agent.id, toolId: 'run_lens' });
    await assignTool(ada, { agentId: refused.agent.id, toolId: 'run_lens', allowed: false });
    for (const each of [revoked, refused, granted]) await start(each);
    const answers = [await answerOf(revoked), await answerOf(refused), await answerOf(granted)];
    expect(answers.map((answer) => answer?.reason)).toEqual([
      'The tool run_lens is not granted to the AI lenser',
      'The tool run_lens is refused to the AI lenser',
      null,
    ]);
    const toolId = 'run_lens';
    expect(await decisionsOf(revoked.agent.id)).toEqual([
      { runId: null, toolId, verdict: 'deny', reason: 'not_granted' },
    ]);
    expect(await decisionsOf(refused.agent.id)).toEqual([
      { runId: null, toolId, verdict: 'deny', reason: 'grant_refused' },
    ]);
    expect(await decisionsOf(granted.agent.id)).toEqual([{ runId: await runOf(granted), toolId, verdict: 'allow' }]);
    const { items } = await listAgentEvents(ada, { agentId: granted.agent.id, limit: 20 });
    expect(items.map(({ eventType }) => eventType)).toEqual(['tool.assigned', 'tool.decided', 'run.started']);
  });
});

describe('postAnswer', () => {
  it('records runs that do not succeed or have no output, for the owner with the reason', async () => {
    const canceled = await aMention();
    await start(canceled);
    await cancelRun(ada, await runOf(canceled));
    await postAnswer(fixture.platform, await runOf(canceled));
    expect(await answerOf(canceled)).toMatchObject({ status: 'failed', reason: expect.any(String) });
    expect(await answerOf(canceled, eve)).toMatchObject({ status: 'failed', reason: null });
    const empty = await aMention();
    await start(empty);
    await postAnswer(fixture.platform, await finish(empty, ' \n'));
    expect(await answerOf(empty)).toMatchObject({ status: 'failed', reason: 'The output is empty' });
  });

  it('cuts a text that is too long, and has no effect for runs that are no answers or have not ended', async () => {
    const long = await aMention();
    await start(long);
    await postAnswer(fixture.platform, await runOf(long));
    expect(await answerOf(long)).toMatchObject({ status: 'running' });
    await postAnswer(fixture.platform, newId());
    await postAnswer(fixture.platform, await finish(long, '\u{1F600}'.repeat(16_001)));
    const [, answer] = (await listMessages(ada, { threadId: long.threadId, limit: 10 })).items;
    expect([...(answer?.text ?? '')]).toHaveLength(16_000);
    expect(answer?.text?.isWellFormed()).toBe(true);
  });

  it('posts no answer once the owner cannot see the thread', async () => {
    const thread = await aThread(eve);
    const mention = await aMention({ threadId: thread.id });
    await start(mention);
    const runId = await finish(mention);
    await ada.db.query(`update threads set visibility = 'private' where id = $1`, [thread.id]);
    await postAnswer(fixture.platform, runId);
    expect(await answerOf(mention, eve)).toMatchObject({ status: 'declined' });
  });
});
