import { isTooDeep, maxJsonDepth } from '@lensforge/contracts';
import type { OwnAiLenser } from '@lensforge/identity';
import { faultAgainstSchema } from '@lensforge/models';
import { modelFor } from './agent-model.js';
import { buildSystemPrompt, buildTaskPrompt } from './agent-prompt.js';
import { finalFailure } from './agent-failure.js';
import { inAgentSpan } from './agent-spans.js';
import type { AgentAnswer, AgentTask, Conversation } from './agent-task.js';
import type { AgentTeam } from './agent-team.js';
import { listAgentTools } from './agent-tools.js';
import { callTools } from './call-tools.js';
import { nextMove } from './conversation.js';
import { jsonIn } from './json-answer.js';
import { requestStep } from './request-step.js';

/** Has an agent work on a task. Throws AgentFailure at a limit. */
export async function converse(team: AgentTeam, task: AgentTask): Promise<AgentAnswer> {
  const conversation = await openConversation(team, task);
  const { key, providerKey } = conversation.chosen.model;
  const agent = task.agents[task.agents.length - 1] as OwnAiLenser;
  return inAgentSpan(agent, { provider: providerKey, model: key }, () => continueConversation(team, conversation));
}

/** Continues behind the last stored step until the model answers or a tool call waits. Throws AgentFailure at a limit. */
export async function continueConversation(team: AgentTeam, conversation: Conversation): Promise<AgentAnswer> {
  const { faultIn, path } = conversation;
  const { maxSteps } = team.work.settings;
  for (;;) {
    const steps = team.getSteps(path);
    const move = nextMove(steps, { maxSteps, faultIn });
    switch (move.kind) {
      case 'answer':
        return { kind: 'answer', text: move.text };
      case 'fail':
        throw finalFailure(move.code, move.message);
      case 'call': {
        const dueMs = await callTools(team, conversation, move, converse);
        if (dueMs !== undefined) return { kind: 'waiting', dueMs };
        break;
      }
      case 'request':
        await requestStep(team, conversation, move.step);
    }
  }
}

async function openConversation(team: AgentTeam, task: AgentTask): Promise<Conversation> {
  const { agents, instructions, outputSchema, path } = task;
  const agent = agents[agents.length - 1] as OwnAiLenser;
  const toolSet = await listAgentTools(team, agent, task.tools);
  const chosen = await modelFor(team, agent, { model: task.model, needsTools: toolSet.specs.length > 0 });
  return {
    path,
    agents,
    request: {
      system: buildSystemPrompt({ texts: [agent.instructions, instructions], outputSchema }),
      prompt: buildTaskPrompt(task.task, task.inputs, team.toFenceSeed(path)),
    },
    opening: [],
    toolSet,
    chosen,
    outputSchema,
    faultIn: faultsAgainst(outputSchema),
  };
}

/** Keeps the fault of each answer, because every step renders the conversation again. */
export function faultsAgainst(schema: Conversation['outputSchema']): Conversation['faultIn'] {
  const faults = new Map<string, string | undefined>();
  if (!schema) return () => undefined;
  return (text) => {
    if (!faults.has(text)) faults.set(text, faultOfAnswer(text, schema));
    return faults.get(text);
  };
}

function faultOfAnswer(text: string, schema: Readonly<Record<string, unknown>>): string | undefined {
  let value: unknown;
  try {
    value = jsonIn(text);
  } catch {
    return 'it is not JSON';
  }
  if (isTooDeep(value)) return `it is nested deeper than ${maxJsonDepth} levels`;
  return faultAgainstSchema(schema, value)?.toWellFormed();
}
