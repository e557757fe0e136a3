import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assignTool } from '@lensforge/agents';
import { aBlindBattle } from '@lensforge/battles/testing';
import type { Context } from '@lensforge/core';
import { anAiLenser } from '@lensforge/identity/testing';
import { aContext } from '@lensforge/testing';
import { type ThreadFixture, idOf, outcomeOf, threadFixture } from '../test/thread-fixture.js';
import { createThread, editMessage, listMessages, readMessage, readThread, readThreadEvents } from './index.js';
import { aMessage } from './testing.js';

let fixture: ThreadFixture;
beforeAll(async () => void (fixture = await threadFixture()));
afterAll(() => fixture.close());

const insiders = ['participant', 'owner of an AI contender'];

async function aBattleWithCallers(status: 'draft' | 'open' | 'executing' | 'voting' | 'scoring' | 'closed') {
  const { accounts, battleId, contenders } = await aBlindBattle(fixture.ctx, status);
  const callers = Object.entries(accounts).filter(([name]) => name !== 'anonymous caller');
  const as = (name: string): Context =>
    aContext(fixture.ctx.db, {
      accountId: Object.fromEntries(callers)[name] ?? '',
      credential: 'session',
    });
  return { battleId, contenders, about: { subjectType: 'battle', subjectId: battleId } as const, as, accounts };
}

describe('a thread about a battle', () => {
  it.each(['draft', 'open', 'executing', 'voting', 'scoring'] as const)(
    'takes no text of participants while the battle is %s, from which voters would know that they take part',
    async (status) => {
      const { about, as, battleId } = await aBattleWithCallers(status);
      const thread = await createThread(as('creator'), { title: 'Questions', ...about });
      await aMessage(as('creator'), thread);
      for (const name of insiders) {
        expect(await outcomeOf(createThread(as(name), { title: 'x', ...about }))).toBe('FORBIDDEN');
        expect(await outcomeOf(aMessage(as(name), thread))).toBe('FORBIDDEN');
        expect((await listMessages(as(name), { threadId: thread.id, limit: 10 })).items).toHaveLength(1);
      }
      await fixture.ctx.db.query(`update battles set status = 'archived' where id = $1`, [battleId]);
      for (const name of insiders) expect(await outcomeOf(aMessage(as(name), thread))).toBe('FORBIDDEN');
    },
  );

  it('takes texts of all who find it once the battle is closed', async () => {
    const { about, as } = await aBattleWithCallers('closed');
    const thread = await createThread(as('participant'), { title: 'Afterwards', ...about });
    for (const name of [...insiders, 'creator']) await aMessage(as(name), thread);
    expect(await outcomeOf(readThread(as('voter'), thread.id))).toBe('NOT_FOUND');
  });

  it('is for voters and the creator while voting, and names no participant', async () => {
    const { about, as, accounts, contenders } = await aBattleWithCallers('voting');
    const thread = await createThread(as('voter'), { title: 'Which one?', ...about });
    await aMessage(as('creator'), thread);
    await aMessage(as('second voter'), thread);
    const seen = JSON.stringify([
      await readThread(as('voter'), thread.id),
      await listMessages(as('voter'), { threadId: thread.id, limit: 10 }),
      await readThreadEvents(as('voter'), thread.id, 0, 10),
    ]);
    const secrets = [
      ...insiders.map((name) => accounts[name as keyof typeof accounts]),
      ...contenders.map(({ id }) => id),
    ];
    for (const secret of secrets) expect(seen).not.toContain(secret);
  });

  it('refuses an edit by which a later participant would return to an earlier message', async () => {
    const { about, as, battleId } = await aBattleWithCallers('open');
    const creator = as('creator');
    const thread = await createThread(creator, { title: 'x', ...about });
    const { id: messageId } = await aMessage(creator, thread);
    await fixture.ctx.db.query(
      `update battle_contenders set owner_account_id = $2 where battle_id = $1 and slot_label = 'C'`,
      [battleId, idOf(creator)],
    );
    expect(await outcomeOf(editMessage(creator, { threadId: thread.id, messageId, text: 'mine' }))).toBe('FORBIDDEN');
  });

  it('has no answers of AI lensers before the closing: their absence would tell that an owner takes part', async () => {
    const { about, as } = await aBattleWithCallers('voting');
    const policy = { actions: { run_lens: 'allow' as const }, runsPerDay: 5 };
    const { handle, id } = await anAiLenser(as('voter'), { policy });
    await assignTool(as('voter'), { agentId: id, toolId: 'run_lens', allowed: true });
    const thread = await createThread(as('voter'), { title: 'x', ...about });
    const message = await aMessage(as('voter'), thread, { text: `@${handle}, which one?` });
    const ref = { threadId: thread.id, messageId: message.id };
    expect(await readMessage(as('voter'), ref)).toMatchObject({ mentions: [{ handle }], answers: [] });
    const agent = { ...fixture.ctx, actor: { ...fixture.ctx.actor, accountId: id } };
    expect(await outcomeOf(aMessage(agent, thread))).toBe('FORBIDDEN');
  });
});
