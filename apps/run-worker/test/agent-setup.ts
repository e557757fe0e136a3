import type { AgentEvent, RunEvent } from '@lensforge/contracts';
import { assignTool, listAgentEvents } from '@lensforge/agents';
import { type Context, newId } from '@lensforge/core';
import { type AiLenserTraits, anAiLenser } from '@lensforge/identity/testing';
import { importModels } from '@lensforge/models';
import type { NodeEngineParts } from '../src/engine/workflow/node-engine.js';
import { offlineProvider } from '../src/providers/offline.js';
import type { Provider, ProviderRequest } from '../src/providers/provider.js';
import { providersByKey } from '../src/providers/providers.js';
import { type Ended, type NodeEngineSetup, aNodeEngineSetup } from './node-engine-setup.js';

/** The handle and id of an AI lenser of the spec. */
export interface TestAgent {
  id: string;
  handle: string;
}

export interface AgentTraits extends Omit<AiLenserTraits, 'instructions'> {
  /** The texts and calls of the offline provider, step by step. */
  script?: readonly object[];
  instructions?: string;
  tools?: readonly string[];
}

export interface AgentSetup extends NodeEngineSetup {
  anAgent(traits?: AgentTraits, owner?: Context): Promise<TestAgent>;
  /** Runs a workflow of one agent node. */
  runAgent(agent: TestAgent, settings?: object, order?: Parameters<NodeEngineSetup['run']>[1]): Promise<Ended>;
  acceptAgent(agent: TestAgent, settings?: object, order?: Parameters<NodeEngineSetup['run']>[1]): Promise<string>;
  /** The events of a run of some types. */
  eventsOf(runId: string, ...types: string[]): Promise<RunEvent[]>;
  logOf(agent: TestAgent): Promise<AgentEvent[]>;
  giveCredits(amount: number): Promise<void>;
  /** The requests to models, oldest first. */
  requests: ProviderRequest[];
  /** The credits that are available and held. */
  balance(): Promise<{ available: number; held: number }>;
  /** Expires the lease of a node, as if its worker had died. */
  loseWorker(runId: string, key?: string): Promise<void>;
}

/** Costs a credit for each token, in or out. */
export const pricedModel = 'offline/priced';
/** Reads 12,000 tokens, with those of its answer. */
export const narrowModel = 'offline/narrow';

export const scripted = (script: readonly object[]): string => `@offline ${JSON.stringify({ script })}`;

export const agentGraph = (agent: Pick<TestAgent, 'handle'>, settings: object = {}): object => ({
  nodes: [{ id: 'work', type: 'agent', settings: { agent: agent.handle, prompt: 'Do your work.', ...settings } }],
  edges: [],
});

/** A real database and engines on it, with AI lensers that the offline provider speaks for. */
export async function anAgentSetup(parts: Partial<NodeEngineParts> = {}): Promise<AgentSetup> {
  const requests: ProviderRequest[] = [];
  const offline = offlineProvider();
  const provider: Provider = {
    ...offline,
    stream: (request, signal) => {
      requests.push(request);
      return offline.stream(request, signal);
    },
  };
  const setup = await aNodeEngineSetup({ providers: providersByKey([provider]), ...parts });
  const { ctx, source } = setup;
  const priced = { provider: 'offline', creditsPer1kInput: 1000, creditsPer1kOutput: 1000, maxOutputTokens: 100 };
  await importModels(ctx, [
    { ...priced, key: 'priced', capabilities: ['tools', 'json'] },
    {
      ...priced,
      key: 'narrow',
      creditsPer1kInput: 0,
      creditsPer1kOutput: 0,
      contextTokens: 12_000,
      capabilities: ['tools'],
    },
  ]);
  const acceptAgent: AgentSetup['acceptAgent'] = (agent, settings, order) =>
    setup.accept(agentGraph(agent, settings), order);

  return {
    ...setup,
    requests,
    anAgent: async ({ script, instructions = '', tools = [], ...traits } = {}, owner = ctx) => {
      const said = script ? `${instructions}\n${scripted(script)}` : instructions;
      const { id, handle } = await anAiLenser(owner, { ...traits, instructions: said });
      for (const toolId of tools) await assignTool(owner, { agentId: id, toolId, allowed: true });
      return { id, handle };
    },
    acceptAgent,
    runAgent: async (agent, settings, order) => setup.ended(await acceptAgent(agent, settings, order)),
    eventsOf: async (runId, ...types) =>
      (await setup.events(runId)).filter(({ eventType }) => types.length === 0 || types.includes(eventType)),
    logOf: async ({ id }) => (await listAgentEvents(ctx, { agentId: id, limit: 500 })).items,
    giveCredits: async (amount) => {
      const { accountId } = ctx.actor;
      await source.query(
        `insert into credit_accounts (account_id, available, held) values ($1, $2, 0)
         on conflict (account_id) do update set available = credit_accounts.available + excluded.available`,
        [accountId, amount],
      );
      await source.query(
        `insert into credit_entries (id, account_id, kind, debit, credit, amount) values ($1, $2, 'grant', 'platform', 'available', $3)`,
        [newId(), accountId, amount],
      );
    },
    balance: async () => {
      const [row] = await source.query<{ available: number; held: number }[]>(
        'select available::float8 as available, held::float8 as held from credit_accounts where account_id = $1',
        [ctx.actor.accountId],
      );
      return row ?? { available: 0, held: 0 };
    },
    loseWorker: async (runId, key = 'work') => {
      const [[row]] = await source.query<[{ attempt: number }[], number]>(
        `update node_results set lease_until = now() where run_id = $1 and node_key = $2 and status = 'running' returning attempt`,
        [runId, key],
      );
      if (!row || !(await setup.engine.lost(runId, key, row.attempt))) throw new Error(`no worker holds ${key}`);
    },
  };
}
