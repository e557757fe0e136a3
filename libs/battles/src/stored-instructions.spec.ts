import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { migrate } from '@lensforge/database';
import { anAiLenser } from '@lensforge/identity/testing';
import { readOwnParams, retryRun } from '@lensforge/runs';
import { type BattleFixture, battleFixture } from '../test/battle-fixture.js';
import { endRun } from '../test/battle-stages.js';
import { advanceBattle } from './advance-battle.js';
import { executeBattle } from './execute-battle.js';
import { aBattle, aContender } from './testing.js';

let fixture: BattleFixture;
let creator: Context;
let owner: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  [creator, owner] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

const task = 'Write a haiku about the sea.';
const secret = 'A recipe that nobody else may read.\n</instructions>\nMore of "it".';

/** The prompt of an agent as earlier releases stored it. */
const oldPrompt = `<instructions>
${secret}
</instructions>

Follow these instructions in your answer to the task below. Answer with the text of your entry alone.

<task>
${task}
</task>`;

/** A battle of two agents whose runs are as an earlier release has stored them; the second run is still open. */
async function anOldBattle() {
  const { id: battleId } = await aBattle(creator, { status: 'open' });
  const agents: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const { id: lenserAccountId } = await anAiLenser(owner, { instructions: secret });
    const ofOwner = { lenserAccountId, ownerAccountId: owner.actor.accountId } as const;
    await aContender(creator, { id: battleId }, { contenderType: 'ai_agent', ...ofOwner });
    agents.push(lenserAccountId);
  }
  const { runs } = await executeBattle(creator, { battleId, timeoutMs: 60_000 });
  const [first = '', second = ''] = runs.map(({ runId }) => runId);
  await creator.db.query('update runs set params = $2 where id = any ($1)', [
    [first, second],
    JSON.stringify({ prompt: oldPrompt }),
  ]);
  return { battleId, agents, first, second };
}

/** The tables, besides the one of AI lensers, that have the text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await creator.db.query<{ name: string }[]>(
    `select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name not in ('ai_lensers', 'webhook_events')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await creator.db.query<unknown[]>(`select 1 from "${name}" t where strpos(t::text, $1) > 0 limit 1`, [
      text,
    ]);
    if (rows.length > 0) found.push(name);
  }
  const events = await creator.db.query<unknown[]>(
    `select 1 from webhook_events where strpos(convert_from(body, 'UTF8'), $1) > 0`,
    [text],
  );
  return events.length > 0 ? [...found, 'webhook_events'] : found;
}

describe('the migration of stored instructions', () => {
  it('removes them from runs, outputs, entries and events, and a repeat changes nothing', async () => {
    const { battleId, agents, first, second } = await anOldBattle();
    const echo = `The prompt was: ${oldPrompt}`;
    await endRun(creator, first, { text: echo });
    await advanceBattle(fixture.platform, battleId);
    const pieces = [echo.slice(0, 40), echo.slice(40)];
    await creator.db.query(
      `insert into run_events (run_id, sequence, type, payload)
       select $1, 1000 + position, 'node.output.delta', jsonb_build_object('nodeId', 'prompt', 'text', piece)
         from unnest($2::text[]) with ordinality as p (piece, position)`,
      [first, pieces],
    );
    await creator.db.query(
      `insert into webhook_events (id, account_id, type, body, occurred_at) values ($1, $2, 'run.completed', $3, now())`,
      [newId(), creator.actor.accountId, Buffer.from(JSON.stringify({ data: { outputs: [{ contentText: echo }] } }))],
    );
    // The outbox has the event until it is delivered.
    await creator.db.query('delete from outbox');
    expect(await tablesWith('A recipe')).toEqual(expect.arrayContaining(['battle_submissions', 'webhook_events']));
    for (let count = 0; count < 2; count += 1) {
      expect(await migrate(fixture.url)).toEqual([]);
      expect(await tablesWith('A recipe')).toEqual([]);
      expect(await tablesWith('More of')).toEqual([]);
      expect(await readOwnParams(creator, first)).toEqual({ prompt: task, instructedBy: agents[0] });
      expect(await readOwnParams(creator, second)).toEqual({ prompt: task, instructedBy: agents[1] });
    }
    const said = await creator.db.query<{ text: string }[]>(
      `select payload ->> 'text' as text from run_events where run_id = $1 and type = 'node.output.delta' order by sequence`,
      [first],
    );
    expect(said.map(({ text }) => text).join('')).toMatch(
      /^The prompt was: \[instructions removed\][^]*<task>\nWrite a haiku/,
    );
  });

  it('makes a retry of such a run ask with the instructions of now', async () => {
    const { agents, first } = await anOldBattle();
    await endRun(creator, first, 'failed');
    await migrate(fixture.url);
    const { runId } = await retryRun(creator, { runId: first });
    expect(await readOwnParams(creator, runId)).toEqual({ prompt: task, instructedBy: agents[0] });
  });

  it('keeps them out of rows that a process of an earlier release writes meanwhile, and leaves other prompts alone', async () => {
    const { agents, first } = await anOldBattle();
    const inserted = async (cause?: object) => {
      const id = newId();
      await creator.db.query(
        `insert into runs select (jsonb_populate_record(r, jsonb_build_object('id', $2::uuid) || $3::jsonb)).* from runs r where id = $1`,
        [first, id, JSON.stringify(cause ? { cause } : {})],
      );
      return readOwnParams(creator, id);
    };
    expect(await inserted()).toEqual({ prompt: task, instructedBy: agents[0] });
    expect(await inserted({ kind: 'thread' })).toEqual({ prompt: oldPrompt });
  });
});
