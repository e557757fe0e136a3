import type { OwnAiLenser } from '@lensforge/identity';
import type { VoteSettings } from '@lensforge/workflows';
import { AgentFailure } from '../agents/agent-failure.js';
import { modelFor } from '../agents/agent-model.js';
import { agentOfNode } from '../agents/agent-of-node.js';
import type { AgentTeam } from '../agents/agent-team.js';
import { asTeam } from '../agents/as-team.js';
import type { AgentAnswer } from '../agents/agent-task.js';
import { converse } from '../agents/converse.js';
import { compareByFeatures, compareByModel, scoreAnswers } from '../agents/judge-answers.js';
import { type ExecuteNode, failed } from './node-type.js';

/** Has several AI lensers answer the same task, and a judge choose; the one listed first wins a tie. */
export const vote: ExecuteNode<VoteSettings> = (work) => {
  const { settings, resolve, input: inputs } = work;
  const prompt = resolve(settings.prompt);
  const task = typeof prompt === 'string' ? prompt : JSON.stringify(prompt);
  return asTeam(work, { agents: settings.agents, prompt, ...inputs }, async (team) => {
    const agents = await Promise.all(settings.agents.map((name) => agentOfNode(team, name)));
    const ends = await Promise.allSettled(
      agents.map((agent, index) => askVoter(team, { agent, index, task, inputs, tools: settings.tools })),
    );
    const fault = ends.find((end) => end.status === 'rejected');
    if (fault) throw fault.reason;
    const found = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    const waits = found.flatMap(({ answer }) => (answer.kind === 'waiting' ? [answer.dueMs] : []));
    if (waits.length > 0) return { kind: 'waiting', dueMs: Math.min(...waits) };
    const answers = new Map(
      found.flatMap(({ handle, answer }) => (answer.kind === 'answer' ? [[handle, answer.text] as const] : [])),
    );
    if (answers.size === 0) throw noAnswers(found);
    const scores = answers.size === 1 ? new Map<string, number>() : await judge(team, settings, task, answers);
    const rated = [...answers].map(([agent, text]) => ({ agent, text, score: scores.get(agent) ?? 1 }));
    const best = rated.reduce((one, other) => (other.score > one.score ? other : one));
    return { kind: 'succeeded', output: { winner: best.agent, text: best.text, answers: rated } };
  });
};

type VotersAnswer = AgentAnswer | { kind: 'failed'; message: string };

interface VoterTask {
  agent: OwnAiLenser;
  index: number;
  task: string;
  inputs: Readonly<Record<string, unknown>>;
  tools: readonly string[] | undefined;
}

/** An agent that fails has no vote against the others. */
async function askVoter(
  team: AgentTeam,
  { agent, index, ...task }: VoterTask,
): Promise<{ handle: string; answer: VotersAnswer }> {
  const { handle } = agent;
  try {
    return { handle, answer: await converse(team, { ...task, agents: [agent], path: `agent${index + 1}` }) };
  } catch (reason) {
    if (!(reason instanceof AgentFailure) || reason.endsNode) throw reason;
    return { handle, answer: { kind: 'failed', message: `${reason.outcome.code}: ${reason.message}` } };
  }
}

async function judge(
  team: AgentTeam,
  { judgeModel }: VoteSettings,
  task: string,
  answers: ReadonlyMap<string, string>,
): Promise<Map<string, number>> {
  if (judgeModel === undefined) return scoreAnswers(answers, compareByFeatures(team, task));
  const chosen = await modelFor(team, undefined, { model: judgeModel, needsTools: false });
  return scoreAnswers(answers, compareByModel(team, task, chosen));
}

function noAnswers(found: readonly { handle: string; answer: VotersAnswer }[]): AgentFailure {
  const reasons = found.map(({ handle, answer }) => `${handle}: ${answer.kind === 'failed' ? answer.message : ''}`);
  return new AgentFailure(failed('NO_ANSWER', `No agent answered; ${reasons.join('; ')}`, { retry: 'final' }));
}
