import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BlindBattle, type Knowledge, knowledgeIn } from '@lensforge/battles/testing';
import { type BattleType, type JudgingMode, battleTypes, judgingModes } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { type WebhookReceiver, readEvents, startWebhookReceiver, until } from '@lensforge/testing';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { createEndpoint } from '@lensforge/webhooks';
import { nothingFound } from './audit.js';
import {
  type BattleCaller,
  type BattleInterface,
  type BattleView,
  type Entry,
  alternately,
  callRest,
  callTool,
  callerOf,
  newCaller,
  overRest,
  withTools,
} from './battle-callers.js';
import { TestPlatform, withConcurrency } from './test-platform.js';

const ways = ['tools alone', 'REST alone', 'half by each'] as const;
type Way = (typeof ways)[number];

/** The sides of each battle: every judge and voter prefers the second. */
const sides = ['weak', 'strong'] as const;
type Side = (typeof sides)[number];
type BySide<T> = Record<Side, T>;

const mark = 'harbour';
const texts: BySide<string> = {
  weak: 'No idea',
  strong: `Lamps tremble over black water. A chain sounds far out, then a gull. The ${mark} describes itself only at night, in few sentences, with lights for words`,
};
/** Texts of the platform by lenses and workflows. The offline provider echoes all but the directive. */
const written: BySide<string> = { weak: '@offline {"pieces":1}', strong: texts.strong };
/** Instructions of agents, of which it reads the directive alone. */
const instructions: BySide<string> = {
  weak: written.weak,
  strong: `@offline ${JSON.stringify({ script: [{ say: texts.strong }] })}`,
};

let setup: TestPlatform;
let receiver: WebhookReceiver;
let creator: BattleCaller;
let people: BySide<BattleCaller>;
let voters: BattleCaller[];
let aiVoters: BattleCaller[];
let aiLensers: BySide<string>;
let lenses: BySide<string>;
let workflows: BySide<string>;

beforeAll(async () => {
  setup = await TestPlatform.open({
    allInOne: true,
    environment: {
      LENSFORGE_RATINGS_DELAY_MS: '500',
      LENSFORGE_RATINGS_PAUSE_MS: '1000',
      // One account makes more than 600 calls of tools in a minute.
      LENSFORGE_RATE_MCP_PER_MINUTE: '60000',
    },
  });
  receiver = await startWebhookReceiver();
  const ring = keyRing(readMasterKeys(setup.masterKey));
  await createEndpoint(setup.ctx, { url: receiver.url, events: ['battle.completed'] }, ring);
  creator = await callerOf(setup, setup.accountId);
  people = await bySide(() => newCaller(setup));
  voters = await Promise.all([1, 2, 3].map(() => newCaller(setup)));
  aiVoters = await Promise.all(voters.slice(0, 2).map(async (owner) => callerOf(setup, await anAiLenser(owner))));
  aiLensers = await bySide((side) => anAiLenser(creator, instructions[side]));
  lenses = await bySide(aLens);
  workflows = await bySide(aWorkflow);
});
afterAll(async () => {
  await receiver.close();
  await setup.close();
});

const bySide = async <T>(make: (side: Side) => Promise<T>): Promise<BySide<T>> => ({
  weak: await make('weak'),
  strong: await make('strong'),
});

async function anAiLenser(owner: BattleCaller, given = ''): Promise<string> {
  const { id } = await callTool(setup, owner, 'create_ai_lenser', { handle: `ai-${newId()}`, display_name: 'AI' });
  await callRest(setup, owner, 'PATCH', `/v1/agents/${String(id)}`, { instructions: given });
  return String(id);
}

async function aLens(side: Side): Promise<string> {
  const templateBody = `The task is:\n[[task_prompt]]\n${written[side]}\nAnswer with your text alone.`;
  const lens = await callRest(setup, creator, 'POST', '/v1/lenses', { title: `The ${side} lens`, templateBody });
  return String(lens['id']);
}

async function aWorkflow(side: Side): Promise<string> {
  const graph = {
    nodes: [{ id: 'answer', type: 'transform', settings: { expression: JSON.stringify(texts[side]) } }],
    edges: [],
    inputs: { type: 'object', properties: { task_prompt: { type: 'string' } }, required: ['task_prompt'] },
  };
  const workflow = await callRest(setup, creator, 'POST', '/v1/workflows', { title: `The ${side} workflow`, graph });
  return String(workflow['id']);
}

const interfaceOf = (way: Way): BattleInterface => {
  if (way === 'half by each') return alternately(withTools(setup), overRest(setup));
  return way === 'tools alone' ? withTools(setup) : overRest(setup);
};

/** The person who answers; undefined where the platform or, with tools alone, the creator does. */
const authorOf = (battleType: BattleType, side: Side): BattleCaller | undefined => {
  const isHuman = battleType.startsWith('human_vs_human') || (battleType === 'human_vs_ai' && side === 'strong');
  return isHuman ? people[side] : undefined;
};

function entryOf(way: Way, battleType: BattleType, side: Side): Entry {
  const displayName = `The ${side} one, ${newId()}`;
  const author = authorOf(battleType, side);
  if (author) return { displayName, contenderType: 'human', contenderRefId: author.accountId };
  const ai = { displayName, contenderType: 'ai_agent', contenderRefId: aiLensers[side] } as const;
  if (way === 'tools alone') return ai;
  if (battleType === 'lenser_battle') return { ...ai, lensId: lenses[side] };
  return battleType === 'workflow_battle' ? { ...ai, workflowId: workflows[side] } : ai;
}

interface Contest {
  way: Way;
  battleType: BattleType;
  judgingMode: JudgingMode;
}

interface Outcome {
  battleId: string;
  winner: Side | null;
  ranking: Side[];
  firstPlaces: BySide<number>;
  /** The side with the higher score of the judge; null for equal scores, undefined without a judge. */
  judgedBetter: Side | null | undefined;
}

/** Brings a battle from draft to published, and compares what each caller may know on the way. */
async function contest({ way, battleType, judgingMode }: Contest): Promise<Outcome> {
  const api = interfaceOf(way);
  const isVoted = judgingMode === 'community_vote';
  const battleId = await api.create(creator, { battleType, judgingMode });
  if (judgingMode === 'auto_score' && way !== 'tools alone') {
    await callRest(setup, creator, 'PATCH', `/v1/battles/${battleId}`, { checks: [{ kind: 'contains', value: mark }] });
  }
  const entries = await bySide(async (side) => entryOf(way, battleType, side));
  const ids = await bySide((side) => {
    const { lensId, workflowId } = entries[side];
    const needsRest = lensId !== undefined || workflowId !== undefined;
    return (needsRest ? overRest(setup) : api).enter(creator, battleId, entries[side]);
  });
  const submit = (side: Side) =>
    api.submit(authorOf(battleType, side) ?? creator, battleId, {
      contenderId: ids[side],
      text: `${texts[side]} ${side}.`,
    });
  const isWritten = (side: Side) => way !== 'tools alone' && !authorOf(battleType, side);

  await api.move(creator, battleId, 'open');
  if (!isWritten('weak')) await submit('weak');
  if (way === 'tools alone') await api.move(creator, battleId, 'executing');
  else await callRest(setup, creator, 'POST', `/v1/battles/${battleId}/execute`, {});
  if (!isWritten('strong')) await submit('strong');
  const follows = isVoted ? 'voting' : 'scoring';
  await until(async () => (await api.read(creator, battleId))?.status === follows, { every: 100, what: follows });

  const blind: Pick<BlindBattle, 'contenders'> = {
    contenders: await contendersOf(api, battleId, { battleType, ids, entries }),
  };
  const known = await knowledge(api, { battleId, battleType, blind });
  expect({ way, battleType, judgingMode, known }).toEqual({
    way,
    battleType,
    judgingMode,
    known: permitted(battleType, isVoted),
  });

  if (isVoted) {
    if (way !== 'tools alone') await vote(api, battleId, battleType);
    await api.move(creator, battleId, 'scoring');
  } else {
    const judged = async () => (await api.score(creator, battleId)).judging?.status === 'succeeded';
    await until(judged, { every: 100, what: `the judging of ${battleType} by ${judgingMode}` });
  }
  expect(await api.score(creator, battleId)).toMatchObject({ voteAggregates: [], winner: null });
  await api.move(creator, battleId, 'closed');
  expect(await api.read(voters[0] as BattleCaller, battleId)).toBeUndefined();
  await api.move(creator, battleId, 'published');
  expect(knowledgeIn({ ...blind, battleId } as BlindBattle, await eventsOf(battleId))).toEqual(nothing);
  return outcomeOf(api, battleId, ids);
}

const nothing: Knowledge = { identities: '', attributed: '', ballot: '' };
const letters: BySide<string> = { weak: 'A', strong: 'B' };

/** The contenders with the texts that their authors find. */
async function contendersOf(
  api: BattleInterface,
  battleId: string,
  { battleType, ids, entries }: { battleType: BattleType; ids: BySide<string>; entries: BySide<Entry> },
): Promise<BlindBattle['contenders']> {
  return Promise.all(
    sides.map(async (side) => {
      const view = await api.read(authorOf(battleType, side) ?? creator, battleId);
      const text = view?.submissions.find(({ contenderId }) => contenderId === ids[side])?.contentText;
      const { displayName: name, contenderRefId: refId } = entries[side];
      return { letter: letters[side], id: ids[side], refId, name, text };
    }),
  );
}

type Known = Record<'creator' | 'voter' | Side, Knowledge | undefined>;

/** The knowledge of the creator, a voter, and the contender of each side, if it is a person. */
async function knowledge(
  api: BattleInterface,
  { battleId, battleType, blind }: { battleId: string; battleType: BattleType; blind: Pick<BlindBattle, 'contenders'> },
): Promise<Known> {
  const of = async (caller: BattleCaller | undefined): Promise<Knowledge | undefined> => {
    const view = caller && (await api.read(caller, battleId));
    return view && knowledgeIn({ ...blind, battleId } as BlindBattle, view.answer);
  };
  return {
    creator: await of(creator),
    voter: await of(voters[0]),
    weak: await of(authorOf(battleType, 'weak')),
    strong: await of(authorOf(battleType, 'strong')),
  };
}

function permitted(battleType: BattleType, isVoting: boolean): Known {
  const byAi = sides.filter((side) => !authorOf(battleType, side)).map((side) => letters[side]);
  const votedByPeople = isVoting && battleType !== 'human_vs_human_ai_votes';
  const own = (side: Side) => authorOf(battleType, side) && { identities: 'AB', attributed: letters[side], ballot: '' };
  return {
    // The creator owns the AI lensers, and votes only where there are none.
    creator: { identities: 'AB', attributed: byAi.join(''), ballot: votedByPeople && byAi.length === 0 ? 'AB' : '' },
    voter: isVoting ? { ...nothing, ballot: votedByPeople ? 'AB' : '' } : undefined,
    weak: own('weak'),
    strong: own('strong'),
  };
}

/** All voters choose the strong text, whose author they do not know. */
async function vote(api: BattleInterface, battleId: string, battleType: BattleType): Promise<void> {
  for (const voter of battleType === 'human_vs_human_ai_votes' ? aiVoters : voters) {
    const ballot = (await api.read(voter, battleId))?.ballot ?? [];
    const winner = ballot.find(({ contentText }) => contentText.includes(mark))?.contenderId;
    await callRest(setup, voter, 'POST', `/v1/battles/${battleId}/votes`, { winner });
  }
}

/** The events of a battle that has ended, as a voter reads them. */
async function eventsOf(battleId: string): Promise<unknown[]> {
  const url = `${setup.platform.urlOf('api-gateway')}/v1/battles/${battleId}/events`;
  const events: unknown[] = [];
  const authorization = `Bearer ${voters[0]?.rest}`;
  for await (const { event, data } of readEvents(url, { headers: { authorization } })) events.push({ event, data });
  expect(events.length).toBeGreaterThan(6);
  return events;
}

async function outcomeOf(api: BattleInterface, battleId: string, ids: BySide<string>): Promise<Outcome> {
  const voter = voters[0] as BattleCaller;
  const view = (await api.read(voter, battleId)) as BattleView;
  const { voteAggregates, aiJudgeVerdicts, winner } = await api.score(voter, battleId);
  expect(winner).toBe(view.winner);
  const sideOf = (id: string | null) => sides.find((side) => ids[side] === id) ?? null;
  const votesFor = (side: Side) => voteAggregates.find(({ contenderId }) => contenderId === ids[side])?.voteCount ?? -1;
  const scoreOf = (side: Side) =>
    aiJudgeVerdicts.find(({ contenderId }) => contenderId === ids[side])?.score ?? Number.NaN;
  const [weak, strong] = [scoreOf('weak'), scoreOf('strong')];
  const better = strong === weak ? null : strong > weak ? 'strong' : 'weak';
  const ranked = [...view.contenders].sort((one, other) => (one.rank ?? 9) - (other.rank ?? 9));
  return {
    battleId,
    winner: sideOf(winner),
    ranking: ranked.map(({ id }) => sideOf(id) ?? 'weak'),
    firstPlaces: { weak: votesFor('weak'), strong: votesFor('strong') },
    judgedBetter: aiJudgeVerdicts.length === 0 ? undefined : better,
  };
}

/** The strong side wins by votes or judge. Tools have neither votes nor checks: then the earlier submission is first. */
function expected({ way, battleType, judgingMode }: Contest): Omit<Outcome, 'battleId'> {
  const isVoted = judgingMode === 'community_vote';
  const isDecided = way !== 'tools alone' || judgingMode === 'ai_judge' || judgingMode === 'rubric_score';
  const votes = battleType === 'human_vs_human_ai_votes' ? aiVoters.length : voters.length;
  return {
    winner: isDecided ? 'strong' : null,
    ranking: isDecided ? ['strong', 'weak'] : ['weak', 'strong'],
    firstPlaces: { weak: 0, strong: isVoted && isDecided ? votes : 0 },
    judgedBetter: isVoted ? undefined : isDecided ? 'strong' : null,
  };
}

interface Completed {
  data: { battleId: string; winner: string | null; scores: Record<string, number> };
}

const completed = (): Completed['data'][] =>
  receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as Completed).data);

describe.each(ways)('a battle of each type and mode, by %s', (way) => {
  const contests = battleTypes.flatMap((battleType) =>
    judgingModes.map((judgingMode): Contest => ({ way, battleType, judgingMode })),
  );

  it('goes from draft to published, blind until it is closed, with its ranking and scores', async () => {
    const outcomes = await withConcurrency(contests.length, 4, (n) => contest(contests[n] as Contest));
    expect(outcomes.map(({ battleId: _, ...outcome }, n) => ({ ...contests[n], ...outcome }))).toEqual(
      contests.map((each) => ({ ...each, ...expected(each) })),
    );
    const battleIds = outcomes.map(({ battleId }) => battleId);
    await until(() => battleIds.every((id) => completed().some(({ battleId }) => battleId === id)), {
      what: 'the webhooks of the battles',
    });
    expect(await setup.findings()).toEqual(nothingFound);
  });
});

describe('the example that compares a text of a lens with the published one', () => {
  const folder = fileURLToPath(new URL('../../../examples/battles/', import.meta.url));

  /** Runs the example; returns its exit code and the last line of its output. */
  const compare = (
    lens: string,
    candidate: string,
    tasks = join(folder, 'tasks.json'),
  ): Promise<[number | string, string]> =>
    new Promise((resolve) => {
      const options = ['--lens', lens, '--candidate', candidate, '--tasks', tasks];
      const environment = {
        PATH: process.env['PATH'],
        LENSFORGE_API_URL: setup.platform.urlOf('api-gateway'),
        LENSFORGE_API_KEY: creator.rest,
      };
      execFile(
        process.execPath,
        [join(folder, 'compare-lens.mjs'), ...options],
        { env: environment },
        (error, output, errors) => resolve([error?.code ?? 0, (output + errors).trimEnd().split('\n').at(-1) ?? '']),
      );
    });

  it('succeeds when the new text is not worse, and fails when it loses clearly or cannot be compared', async () => {
    expect(await compare(lenses.weak, join(folder, 'candidate.txt'))).toEqual([
      0,
      'The new text is not clearly worse.',
    ]);
    const work = await mkdtemp(join(tmpdir(), 'candidate-'));
    try {
      const weak = join(work, 'weak.txt');
      await writeFile(weak, `A task, whose answer is always the same:\n[[task_prompt]]\n${written.weak}\n`);
      expect(await compare(lenses.strong, weak)).toEqual([1, 'The new text is clearly worse.']);
      const broken = join(work, 'broken.txt');
      await writeFile(broken, 'A text without the parameter that the task of a battle needs.');
      expect(await compare(lenses.strong, broken)).toEqual([2, expect.stringContaining('task_prompt')]);
      const few = join(work, 'few.json');
      await writeFile(few, '["One task", "Another", "A third", "A fourth"]');
      expect(await compare(lenses.strong, weak, few)).toEqual([2, expect.stringContaining('Give at least 5')]);
    } finally {
      await rm(work, { recursive: true });
    }
  });
});

it('published battles make leaderboards, in which the strong side leads', async () => {
  for (const battleType of battleTypes) {
    const leader = async (): Promise<string> => {
      const { data } = (await setup.call('GET', `/v1/leaderboards/${battleType}?source=all`)).body;
      return (data as unknown as { displayName: string }[])[0]?.displayName ?? '';
    };
    await until(async () => (await leader()).startsWith('The strong one'), { every: 200, what: battleType });
  }
});
