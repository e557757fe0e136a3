import type { BattleStatus, BattleType, JudgingMode } from '@lensforge/contracts';
import { addContender, castVote, createBattle, readBattle, setBattleStatus, submitEntry } from '@lensforge/battles';
import type { Context } from '@lensforge/core';
import { type TaskText, tasks } from './battle-texts.js';

/** A person or an AI lenser, with how well it answers: 0 gives the best answer of a task. */
export interface Contestant {
  id: string;
  ownerId: string;
  displayName: string;
  isAi: boolean;
  /** The greater, the better its answers. */
  strength: number;
}

export interface BattleSources {
  ctx: Context;
  as: (accountId: string) => Context;
  random: () => number;
  /** The demo users, who create the battles. */
  alice: string;
  bob: string;
  /** AI lensers; the first ones are of the demo users. */
  agents: readonly Contestant[];
  people: readonly Contestant[];
  /** Accounts that take part in no battle. */
  voters: readonly string[];
}

interface BattlePlan {
  creator: string;
  type: BattleType;
  mode?: JudgingMode;
  task: TaskText;
  contestants: readonly Contestant[];
  status: Exclude<BattleStatus, 'archived'>;
  /** The number of voters who vote, while voting. */
  votes?: number;
}

const forward: readonly BattleStatus[] = ['open', 'executing', 'voting', 'scoring', 'closed', 'published'];

const rubric = [
  { name: 'clarity', weight: 2, description: 'Does a newcomer understand it at once?' },
  { name: 'brevity', weight: 1, description: 'Is every word needed?' },
];

/** The answers in the order of strength: a stronger contestant gives a better one. */
function writeAnswers({ task, contestants }: BattlePlan): Map<string, string> {
  const sorted = [...contestants].sort((a, b) => b.strength - a.strength);
  return new Map(sorted.map(({ id }, at) => [id, task.answers[Math.min(at, 2)] ?? '']));
}

/** Votes as a person would: reads the ballot, and prefers the answers of stronger contestants, most of the time. */
async function vote(
  { as, random }: BattleSources,
  { battleId, voter, plan }: { battleId: string; voter: string; plan: BattlePlan },
): Promise<void> {
  const ctx = as(voter);
  const { ballot } = await readBattle(ctx, battleId);
  if (!ballot || random() < 0.06) return;
  const texts = writeAnswers(plan);
  const findStrength = (text: string): number =>
    plan.contestants.find(({ id }) => texts.get(id) === text)?.strength ?? 0;
  const noisy = (text: string): number => findStrength(text) - Math.log(-Math.log(1 - random() * 0.999) || 1e-9);
  const ranking = ballot
    .map(({ contenderId, contentText }) => ({ contenderId, score: noisy(contentText) }))
    .sort((a, b) => b.score - a.score)
    .map(({ contenderId }) => contenderId);
  const isTie = random() < 0.08;
  await castVote(ctx, { battleId, ...(isTie ? { tie: true } : { ranking }) });
}

/** Creates a battle and moves it to its status, by the calls that its creator, contenders and voters would make. */
async function hold(sources: BattleSources, plan: BattlePlan): Promise<string> {
  const { as, voters } = sources;
  const creator = as(plan.creator);
  const mode = plan.mode ?? 'community_vote';
  const { id: battleId } = await createBattle(creator, {
    title: plan.task.title,
    taskPrompt: plan.task.task,
    battleType: plan.type,
    judgingMode: mode,
    maxContenders: Math.max(plan.contestants.length, 3),
    ...(mode === 'rubric_score' && { rubric }),
  });
  const entered: { contenderId: string; contestant: Contestant }[] = [];
  for (const contestant of plan.contestants) {
    const { id: contenderId } = await addContender(creator, {
      battleId,
      displayName: contestant.displayName,
      contenderType: contestant.isAi ? 'ai_agent' : 'human',
      contenderRefId: contestant.id,
    });
    entered.push({ contenderId, contestant });
  }
  const texts = writeAnswers(plan);
  let current: BattleStatus = 'draft';
  for (const status of forward.slice(0, forward.indexOf(plan.status) + 1)) {
    // A complete battle moves on by itself.
    if (forward.indexOf(status) > forward.indexOf(current)) {
      ({ status: current } = await setBattleStatus(creator, { battleId, status: status as 'open', confirm: true }));
    }
    // A contender who has not answered keeps a battle executing.
    if (status === 'open') await submit(sources, { battleId, entered, texts, leaveOne: plan.status === 'executing' });
    if (status === 'voting' && current === 'voting') {
      for (const voter of voters.slice(0, plan.votes ?? voters.length)) await vote(sources, { battleId, voter, plan });
    }
  }
  return battleId;
}

async function submit(
  { as }: BattleSources,
  submission: {
    battleId: string;
    entered: readonly { contenderId: string; contestant: Contestant }[];
    texts: ReadonlyMap<string, string>;
    leaveOne: boolean;
  },
): Promise<void> {
  const { battleId, entered, texts, leaveOne } = submission;
  for (const { contenderId, contestant } of leaveOne ? entered.slice(1) : entered) {
    const contentText = texts.get(contestant.id) ?? '';
    await submitEntry(as(contestant.ownerId), { battleId, contenderId, contentText });
  }
}

/** Battles in each status: many published ones, whose votes make leaderboards, and some that the demo users can vote on. */
export async function sampleBattles(sources: BattleSources): Promise<string[]> {
  const { alice, bob, agents, people, as } = sources;
  const strangers = agents.filter(({ ownerId }) => ownerId !== alice && ownerId !== bob);
  const task = (at: number): TaskText => {
    const found = tasks[at % tasks.length];
    if (!found) throw new Error('there is no task');
    return found;
  };
  const some = (from: readonly Contestant[], at: number, count: number): Contestant[] =>
    Array.from({ length: count }, (_, n) => from[(at + n * (1 + (at % 2))) % from.length]).filter(
      (each): each is Contestant => each !== undefined,
    );
  const plans: BattlePlan[] = [];
  for (let at = 0; at < 8; at += 1) {
    const contestants = some(agents, at, at % 3 === 0 ? 3 : 2);
    plans.push({ creator: at % 2 ? bob : alice, type: 'ai_vs_ai', task: task(at), contestants, status: 'published' });
  }
  const debates = { creator: bob, type: 'human_vs_human_open_votes', status: 'published' } as const;
  for (let at = 0; at < 3; at += 1) plans.push({ ...debates, task: task(at + 4), contestants: some(people, at, 2) });
  const mixed = [...some(people, 1, 1), ...some(strangers, 1, 1)];
  plans.push(
    { creator: alice, type: 'human_vs_ai', task: task(8), contestants: mixed, status: 'closed' },
    { creator: bob, type: 'ai_vs_ai', task: task(9), contestants: some(strangers, 0, 2), status: 'voting', votes: 4 },
    { creator: bob, type: 'ai_vs_ai', task: task(1), contestants: some(strangers, 0, 3), status: 'voting', votes: 2 },
    { creator: bob, type: 'human_vs_ai', task: task(5), contestants: mixed, status: 'voting', votes: 3 },
    { creator: alice, type: 'ai_vs_ai', task: task(7), contestants: some(strangers, 1, 2), status: 'voting', votes: 5 },
    {
      creator: alice,
      type: 'ai_vs_ai',
      mode: 'rubric_score',
      task: task(4),
      contestants: some(strangers, 0, 3),
      status: 'scoring',
    },
    { creator: alice, type: 'human_vs_ai', task: task(3), contestants: mixed, status: 'executing' },
    { creator: alice, type: 'ai_vs_ai', task: task(2), contestants: some(strangers, 2, 2), status: 'open' },
    { creator: alice, type: 'ai_vs_ai', task: task(6), contestants: some(strangers, 0, 1), status: 'draft' },
  );
  const ids: string[] = [];
  for (const plan of plans) ids.push(await hold(sources, plan));
  const archived = await hold(sources, {
    creator: alice,
    type: 'ai_vs_ai',
    task: task(0),
    contestants: some(strangers, 0, 2),
    status: 'open',
  });
  await setBattleStatus(as(alice), { battleId: archived, status: 'archived', confirm: true });
  return [...ids, archived];
}
