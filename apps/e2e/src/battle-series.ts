import type { BattleType } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { grantCredits } from '@lensforge/credits';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import {
  type BattleCaller,
  type BattleView,
  type ScoreView,
  callRest,
  callerOf,
  newCaller,
  task,
} from './battle-callers.js';
import { type TestPlatform, withConcurrency } from './test-platform.js';

interface Lenser extends BattleCaller {
  name: string;
  /** The instructions of an AI lenser; undefined for a person. */
  instructions?: string;
}

export interface SeriesSize {
  battles: number;
  votersEach: number;
  /** The number of battles that go on at the same time. */
  atOnce: number;
}

/** The result of a battle by the names of its contenders. */
export interface Result {
  winner: string | undefined;
  ranking: (string | undefined)[];
  votes: Record<string, number>;
  voteScores: Record<string, number>;
  judgeScores: Record<string, number>;
}

const sources = ['votes', 'judges', 'all'] as const;

/**
 * Carries out battles that are the same in each series of one platform: their contenders, texts and votes follow from their
 * number. Each has two people and two AI lensers, and a person who never submits, so that it is voted on before the
 * offline judge compares the four texts.
 */
export class BattleSeries {
  /** The number of runs that the creator has retried. */
  retries = 0;

  private constructor(
    private readonly setup: TestPlatform,
    private readonly creator: BattleCaller,
    private readonly people: readonly Lenser[],
    private readonly agents: readonly Lenser[],
    private readonly voters: readonly BattleCaller[],
  ) {}

  static async prepare(setup: TestPlatform, voterCount: number): Promise<BattleSeries> {
    const creator = await callerOf(setup, setup.accountId);
    await grantCredits(setup.ctx, { accountId: creator.accountId, amount: 10_000_000 });
    const { key: aiModelKey } = await aPricedModel(setup.ctx, { perThousand: 100 });
    const people = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => ({ ...(await newCaller(setup)), name: `Person ${n}` })),
    );
    const agents: Lenser[] = [];
    for (let n = 0; n < 4; n += 1) {
      const [name, instructions] = [`Agent ${n}`, `@offline {"pieces":${4 + 3 * n},"pieceDelayMs":80}`];
      const body = { handle: `agent-${newId()}`, displayName: name, aiModelKey, instructions };
      const { id } = await callRest(setup, creator, 'POST', '/v1/agents', body);
      agents.push({ ...creator, accountId: String(id), name, instructions });
    }
    const voters = await withConcurrency(voterCount, 10, () => newCaller(setup));
    return new BattleSeries(setup, creator, people, agents, voters);
  }

  carryOut(battleType: BattleType, { battles, votersEach, atOnce }: SeriesSize): Promise<Result[]> {
    return withConcurrency(battles, atOnce, (n) => this.battle(n, battleType, votersEach));
  }

  /** The first 100 entries of each leaderboard, as soon as they have all battles of a series. */
  async leaderboards(battleType: BattleType, { battles, votersEach }: SeriesSize): Promise<Record<string, unknown>> {
    const leaderboards: Record<string, unknown> = {};
    for (const source of sources) {
      const votes = (source === 'judges' ? 0 : battles * votersEach) + (source === 'votes' ? 0 : battles);
      const path = `/v1/leaderboards/${battleType}`;
      await until(async () => (await this.fitted(`${path}/fit?source=${source}`)) === votes, {
        every: 250,
        what: `${path} of ${votes} votes`,
      });
      leaderboards[source] = (await this.setup.call('GET', `${path}?source=${source}&limit=100`)).body.data;
    }
    return leaderboards;
  }

  private async fitted(path: string): Promise<number | undefined> {
    const { fit } = (await this.setup.call('GET', path)).body.data as { fit?: { votes: number } };
    return fit?.votes;
  }

  private async battle(n: number, battleType: BattleType, votersEach: number): Promise<Result> {
    const settings = { title: `Battle ${n}`, taskPrompt: task, battleType, judgingMode: 'ai_judge', maxContenders: 5 };
    const battleId = String((await this.post('/v1/battles', settings))['id']);
    const path = `/v1/battles/${battleId}`;
    const contenders = [this.pick('people', n, 0), this.pick('people', n, 3), this.pick('people', n, 5)];
    const [first, second, absent] = contenders as [Lenser, Lenser, Lenser];
    for (const lenser of [first, this.pick('agents', n, 0), second, this.pick('agents', n, 2), absent]) {
      const contenderType = lenser.instructions === undefined ? 'human' : 'ai_agent';
      const entry = { displayName: lenser.name, contenderType, contenderRefId: lenser.accountId };
      await this.post(`${path}/contenders`, entry);
    }
    await this.post(`${path}/status`, { status: 'open' });
    const { contenders: entered } = await this.read(path);
    for (const [at, author] of [first, second].entries()) {
      const contenderId = entered.find(({ displayName }) => displayName === author.name)?.id;
      await this.post(`${path}/submissions`, { contenderId, contentText: textOf(n, at) }, author);
    }
    const { runs } = (await this.post(`${path}/execute`, {})) as { runs: { contenderId: string; runId: string }[] };
    await this.answersOf(path, new Map(runs.map(({ contenderId, runId }) => [contenderId, runId])));
    await this.post(`${path}/status`, { status: 'voting' });
    await withConcurrency(votersEach, 2, (voter) => this.vote(path, n, voter));
    await this.post(`${path}/status`, { status: 'scoring' });
    await this.judged(path);
    await this.post(`${path}/status`, { status: 'closed', confirm: true });
    await this.post(`${path}/status`, { status: 'published' });
    return this.resultOf(path);
  }

  private pick(of: 'people' | 'agents', n: number, at: number): Lenser {
    const all = this[of];
    return all[(n + Math.floor(n / all.length) + at) % all.length] as Lenser;
  }

  private post(path: string, body: Record<string, unknown>, by = this.creator): Promise<Record<string, unknown>> {
    return callRest(this.setup, by, 'POST', path, body);
  }

  private async read(path: string, by = this.creator): Promise<BattleView> {
    return (await callRest(this.setup, by, 'GET', path)) as unknown as BattleView;
  }

  /** Waits for the answers of the runs; the creator retries the run of each answer that failed. */
  private async answersOf(path: string, runIds: Map<string, string>): Promise<void> {
    const arrived = async (): Promise<boolean> => {
      const { contenders, submissions } = await this.read(path);
      for (const { id, answerError } of contenders as { id: string; answerError?: string | null }[]) {
        const runId = runIds.get(id);
        if (runId !== undefined && answerError) runIds.set(id, await this.retry(runId));
      }
      return submissions.length === runIds.size;
    };
    await until(arrived, { every: 250, what: `the answers of ${path}` });
  }

  private async judged(path: string): Promise<void> {
    const succeeded = async (): Promise<boolean> => {
      const { judging } = (await callRest(this.setup, this.creator, 'GET', `${path}/score`)) as {
        judging?: { runId: string; status: string };
      };
      if (judging && ['failed', 'timed_out'].includes(judging.status)) await this.retry(judging.runId);
      return judging?.status === 'succeeded';
    };
    await until(succeeded, { every: 250, what: `the judging of ${path}` });
  }

  private async retry(runId: string): Promise<string> {
    this.retries += 1;
    return String((await this.post(`/v1/runs/${runId}/retry`, {}))['runId']);
  }

  /** Votes by the texts, in one of the three forms. */
  private async vote(path: string, n: number, voter: number): Promise<void> {
    const by = this.voters[voter] as BattleCaller;
    const ballot = (await this.read(path, by)).ballot ?? [];
    const ranking = [...ballot]
      .sort((one, other) => liking(one.contentText, n, voter) - liking(other.contentText, n, voter))
      .map(({ contenderId }) => contenderId);
    const form = (n + voter) % 10;
    const body = form === 0 ? { tie: true } : form < 4 ? { winner: ranking[0] } : { ranking };
    await this.post(`${path}/votes`, body, by);
  }

  private async resultOf(path: string): Promise<Result> {
    const { contenders, winner } = await this.read(path);
    const names = new Map(contenders.map(({ id, displayName }) => [id, displayName]));
    const score = (await callRest(this.setup, this.creator, 'GET', `${path}/score`)) as unknown as ScoreView;
    const byName = <T extends { contenderId: string }>(all: readonly T[], value: (one: T) => number) =>
      Object.fromEntries(all.map((one): [string, number] => [names.get(one.contenderId) ?? '', value(one)]));
    const ranked = contenders.filter(({ rank }) => rank !== null);
    return {
      winner: winner === null ? undefined : names.get(winner),
      ranking: ranked.sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0)).map(({ displayName }) => displayName),
      votes: byName(score.voteAggregates, ({ voteCount }) => voteCount),
      voteScores: byName(score.voteAggregates, ({ voteScore }) => voteScore),
      judgeScores: byName(score.aiJudgeVerdicts, ({ score: value }) => value),
    };
  }
}

const words =
  'lamp water gull chain harbour night crane rope tide sounds lights black sentences ferry horn slow star pier rust salt';

/** A text of a person, whose length and choice of words follow from the numbers. */
function textOf(n: number, at: number): string {
  const all = words.split(' ');
  const length = 12 + ((n * 7 + at * 31) % 60);
  const text = Array.from({ length }, (_, k) => {
    const word = all[(k * (1 + ((n + at) % 5)) + n * 3 + at) % all.length] ?? '';
    return k % 9 === 8 ? `${word}.` : word;
  });
  return `Entry ${n}.${at}: ${text.join(' ')}`;
}

/** A number that looks random and follows from text, battle and voter. Lower is better; long texts have an advantage. */
function liking(text: string, n: number, voter: number): number {
  let hash = n * 2_654_435 + voter * 40_503;
  for (const character of text) hash = (hash * 31 + character.charCodeAt(0)) % 2_147_483_647;
  return hash / 2_147_483_647 - Math.min(text.length, 400) / 1000;
}
