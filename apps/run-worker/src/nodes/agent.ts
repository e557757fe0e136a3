import { faultInOutputSchema } from '@lensforge/models';
import type { AgentSettings } from '@lensforge/workflows';
import { agentOfNode } from '../agents/agent-of-node.js';
import { converse } from '../agents/converse.js';
import { jsonIn } from '../agents/json-answer.js';
import { asTeam } from '../agents/as-team.js';
import { type ExecuteNode, failed } from './node-type.js';

/** Has an AI lenser work on a task with its granted tools, step by step; a lost worker's successor continues behind the last one. */
export const agent: ExecuteNode<AgentSettings> = async (work) => {
  const { settings, resolve } = work;
  const { instructions, model, tools, outputSchema } = settings;
  const prompt = resolve(settings.prompt);
  const task = typeof prompt === 'string' ? prompt : JSON.stringify(prompt);
  const fault = outputSchema && faultInOutputSchema(outputSchema);
  if (fault !== undefined) return failed('BAD_SCHEMA', `${fault.path} ${fault.message}`, { retry: 'final' });
  return asTeam(work, { agent: settings.agent, prompt, ...work.input }, async (team) => {
    const lenser = await agentOfNode(team, settings.agent);
    const own = { instructions, model, tools, outputSchema };
    const answer = await converse(team, { ...own, agents: [lenser], path: '', task, inputs: work.input });
    if (answer.kind === 'waiting') return answer;
    const { text } = answer;
    return { kind: 'succeeded', output: { text, ...(outputSchema && { json: jsonIn(text) }) } };
  });
};
