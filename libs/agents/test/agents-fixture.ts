import type { AgentEvent, AiLenser } from '@lensforge/contracts';
import { type Context, newId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { type AiLenserTraits, actingAs, anAccount, anAiLenser } from '@lensforge/identity/testing';
import { assignTool, listAgentEvents } from '../src/index.js';

export interface AgentsFixture extends TestDatabase {
  platform: Context;
  /** A new person with credits. */
  aPerson(credits?: number): Promise<Context>;
  /** A new AI lenser with grants of these tools. */
  anAgent(owner: Context, traits?: AiLenserTraits, tools?: readonly string[]): Promise<AiLenser>;
  /** The events of an AI lenser in order. */
  eventsOf(owner: Context, agentId: string): Promise<AgentEvent[]>;
}

export const allTools = [
  'run_lens',
  'run_workflow',
  'submit_battle_run',
  'cast_vote',
  'add_battle_contender',
  'create_battle',
];

export async function agentsFixture(): Promise<AgentsFixture> {
  const database = await openTestDatabase({ poolSize: 10 });
  const { ctx, source } = database;
  const platform = { ...ctx, actor: platformActor };
  return {
    ...database,
    platform,
    aPerson: async (credits = 0) => {
      const { id } = await anAccount(ctx);
      await source.query(
        `insert into credit_accounts (account_id, available, held) values ($1, $2, 0)
         on conflict (account_id) do update set available = excluded.available`,
        [id, credits],
      );
      await source.query(
        `insert into credit_entries (id, account_id, kind, debit, credit, amount)
         select $1, $2, 'grant', 'platform', 'available', $3::bigint where $3::bigint > 0`,
        [newId(), id, credits],
      );
      return actingAs(ctx, id);
    },
    anAgent: async (owner, traits = {}, tools = allTools) => {
      const agent = await anAiLenser(owner, traits);
      for (const toolId of tools) await assignTool(owner, { agentId: agent.id, toolId, allowed: true });
      return agent;
    },
    eventsOf: async (owner, agentId) => (await listAgentEvents(owner, { agentId, limit: 500 })).items,
  };
}

/** The code of the error of a call that must fail. */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    (value) => {
      throw new Error(`expected a refusal, got ${JSON.stringify(value)}`);
    },
    (reason: unknown) => (reason as { code: string }).code,
  );
