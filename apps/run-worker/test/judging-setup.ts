import { loadJudging, startJudging } from '@lensforge/battles';
import { aBattle, aContender } from '@lensforge/battles/testing';
import type { ContenderType } from '@lensforge/contracts';
import { platformActor } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { importModels } from '@lensforge/models';
import { judgingExecutor } from '../src/battles/execute-judging.js';
import { ByokLeases } from '../src/byok-leases.js';
import { realTiming } from '../src/engine/timing.js';
import type { Provider, ProviderRequest } from '../src/providers/provider.js';
import { providersByKey } from '../src/providers/providers.js';
import { type EngineSetup, anEngineSetup } from './engine-setup.js';

/** Costs a credit for each token. */
export const judgeModel = 'judge/large';

export interface Entry {
  text: string;
  contenderType?: ContenderType;
}

type BattleTraits = NonNullable<Parameters<typeof aBattle>[1]>;
type EngineOptions = NonNullable<Parameters<EngineSetup['engine']>[0]> & { concurrency?: number };

export interface StartedJudging {
  battleId: string;
  runId: string;
  /** The contenders in the order of the entries. */
  contenderIds: string[];
}

export interface StoredVerdict {
  contenderId: string;
  verdict: string;
  score: number;
  reasoning: string;
}

export interface JudgementRow {
  item: string;
  runId: string;
  judge: string;
  judgement: Record<string, unknown>;
  reasoning: string;
  promptHash: string | null;
  tokens: number;
  cost: number;
}

export interface JudgingSetup extends EngineSetup {
  /** Creates a battle of the account that is scoring, and starts its judging. */
  judging(entries: readonly (string | Entry)[], traits?: BattleTraits): Promise<StartedJudging>;
  /** An engine that judges with this provider, in at most two requests at a time. */
  judgingEngine(provider: Provider, parts?: EngineOptions): ReturnType<EngineSetup['engine']>;
  judgements(battleId: string): Promise<JudgementRow[]>;
  verdicts(battleId: string): Promise<StoredVerdict[]>;
}

/** A real database, engines with judges, and a model that a provider of the spec answers for. */
export async function aJudgingSetup(): Promise<JudgingSetup> {
  const setup = await anEngineSetup();
  const { ctx } = setup;
  const [provider = '', key = ''] = judgeModel.split('/');
  const prices = { creditsPer1kInput: 1000, creditsPer1kOutput: 1000, maxOutputTokens: 100 };
  await importModels(ctx, [{ provider, key, ...prices, capabilities: ['json', 'sampling'] }]);

  return {
    ...setup,
    judging: async (entries, traits = {}) => {
      const chosen = { judgingMode: 'ai_judge', aiJudgeModelKey: judgeModel, ...traits } as const;
      const battle = await aBattle(ctx, { status: 'scoring', taskPrompt: 'Name a city.', ...chosen });
      const contenders: Awaited<ReturnType<typeof aContender>>[] = [];
      for (const entry of entries) {
        const traits = typeof entry === 'string' ? { text: entry } : entry;
        contenders.push(await aContender(ctx, battle, { contenderType: 'ai_model', ...traits }));
      }
      await inTransaction(ctx, (ctx) => startJudging(ctx, battle, contenders));
      const { judgingRunId } = (await loadJudging(ctx, battle.id)).battle;
      return { battleId: battle.id, runId: judgingRunId ?? '', contenderIds: contenders.map(({ id }) => id) };
    },
    judgingEngine: (provider, parts = {}) => {
      const judgingParts = {
        ctx: { ...ctx, actor: platformActor },
        providers: providersByKey([provider]),
        keys: new ByokLeases(ctx, undefined),
        worker: 'spec',
        leaseMs: 12_000,
        heartbeatMs: 3000,
        timing: realTiming,
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        concurrency: 2,
        ...parts,
      };
      return setup.engine({ ...judgingParts, executeJudging: judgingExecutor(judgingParts) });
    },
    judgements: (battleId) =>
      ctx.db.query<JudgementRow[]>(
        `select item, run_id as "runId", judge, judgement, reasoning, prompt_hash as "promptHash",
                token_input + token_output as tokens, credit_cost::float8 as cost
           from battle_judgements where battle_id = $1 order by created_at, item`,
        [battleId],
      ),
    verdicts: (battleId) =>
      ctx.db.query<StoredVerdict[]>(
        `select v.contender_id as "contenderId", v.verdict, v.score, v.reasoning
           from battle_verdicts v join battle_contenders c on c.id = v.contender_id
          where v.battle_id = $1 order by c.slot_label`,
        [battleId],
      ),
  };
}

type Reply = string | Error | Promise<string | Error>;

/** A provider for the judge model; records the requests. */
export function aJudge(
  reply: (request: ProviderRequest, signal: AbortSignal) => Reply = fairly,
  usage = { input: 10, output: 2 },
) {
  const requests: ProviderRequest[] = [];
  const provider: Provider = {
    key: 'judge',
    limitless: true,
    async *stream(request, signal) {
      requests.push(request);
      const answer = await reply(request, signal);
      if (answer instanceof Error) throw answer;
      yield { delta: answer };
      yield { usage };
    },
  };
  return { provider, requests, keys: () => requests.map(({ idempotencyKey }) => idempotencyKey) };
}

const qualitiesIn = ({ prompt }: ProviderRequest): number[] =>
  [...prompt.matchAll(/^\| quality (\d+)/gm)].map(([, quality]) => Number(quality));

/** Judges texts that begin with "quality" and a number by that number, pairs as well as single texts. */
export function fairly(request: ProviderRequest): string {
  const [first = 0, second] = qualitiesIn(request);
  const reasoning = 'By quality.';
  if (second === undefined) {
    const level = first > 4 ? 'The text meets the criterion fully' : 'The text does not meet the criterion at all';
    return JSON.stringify({ reasoning, level: new RegExp(`^([0-9A-F]{8}): ${level}`, 'm').exec(request.prompt)?.[1] });
  }
  return JSON.stringify({ reasoning, choice: first === second ? 'tie' : first > second ? 'first' : 'second' });
}
