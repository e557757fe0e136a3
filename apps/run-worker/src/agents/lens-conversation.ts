import type { LensTool } from '@lensforge/contracts';
import { estimateCost, getMaxOutputTokens, imagesIn, measureImages } from '@lensforge/models';
import type { AgentLimits, LensSettings } from '@lensforge/workflows';
import type { OwnAiLenser } from '@lensforge/identity';
import type { LensCall, LensInput } from '../nodes/lens-call.js';
import type { NodeOutcome, NodeWork } from '../nodes/node-type.js';
import type { AgentModel } from './agent-model.js';
import { agentOfNode } from './agent-of-node.js';
import { dataRule, schemaRule } from './agent-prompt.js';
import type { AgentTeam } from './agent-team.js';
import { type AgentTool, type AgentToolSet, listAgentTools } from './agent-tools.js';
import { asTeam } from './as-team.js';
import { continueConversation, faultsAgainst } from './converse.js';
import { jsonIn } from './json-answer.js';

/** The requests to a model in one conversation; its credits and its time have limits of their own. */
const maxSteps = 50;
const maxActiveSeconds = 86_400;

/** Has the model of a lens with tools answer, step by step, as an agent does. */
export async function converseWithTools(
  work: NodeWork<LensSettings>,
  call: LensCall,
  input: LensInput,
): Promise<NodeOutcome> {
  const { prompt, outputSchema, sampling, model, allowedModels, activeMs } = call;
  const { messages: opening = [], images, settings, system, ...request } = prompt;
  const limits: AgentLimits = {
    prompt: null,
    maxSteps,
    maxOutputTokens: getMaxOutputTokens(model, sampling),
    maxTokens: Number.MAX_SAFE_INTEGER,
    maxSeconds: activeMs === undefined ? maxActiveSeconds : activeMs / 1000,
  };
  const chosen = await chosenModel(call);
  return asTeam({ ...work, settings: limits }, input, async (team) => {
    const agents = settings?.toolsOf === undefined ? [] : [await agentOfNode(team, settings.toolsOf)];
    const rules = [agents.length > 0 && dataRule, outputSchema && schemaRule(outputSchema)];
    const answer = await continueConversation(team, {
      path: '',
      agents,
      isOfLens: true,
      request: {
        ...request,
        system: [system, ...rules].filter(Boolean).join('\n\n') || undefined,
        images,
        settings,
        sampling: sampling ?? null,
        allowedModels,
      },
      opening,
      toolSet: await listTools(team, agents[0], settings?.tools ?? []),
      chosen,
      outputSchema,
      faultIn: faultsAgainst(outputSchema),
    });
    if (answer.kind === 'waiting') return answer;
    const { text } = answer;
    return { kind: 'succeeded', output: { text, ...(outputSchema && { json: jsonIn(text) }) } };
  });
}

/** The model of the call, paid for by step, with the images that each step repeats. */
async function chosenModel({ prompt, model, fundingFor }: LensCall): Promise<AgentModel> {
  const sizes = await measureImages(imagesIn(prompt));
  return {
    model,
    fundingFor: ({ input, output }) =>
      fundingFor(estimateCost(model, input, { sampling: { maxOutputTokens: output }, images: sizes })),
  };
}

/** The tools of the caller, and those that are granted to the agent. */
async function listTools(
  team: AgentTeam,
  agent: OwnAiLenser | undefined,
  tools: readonly LensTool[],
): Promise<AgentToolSet> {
  const specs = tools.flatMap(({ name, description = '', inputSchema }) =>
    inputSchema ? [{ name, description, inputSchema }] : [],
  );
  const own = new Map(
    specs.map((spec) => [spec.name, { kind: 'client', toolId: spec.name, spec } satisfies AgentTool]),
  );
  const names = tools.flatMap(({ name, inputSchema }) => (inputSchema ? [] : [name]));
  const granted = agent && (await listAgentTools(team, agent, names));
  return {
    specs: [...specs, ...(granted?.specs ?? []).filter(({ name }) => !own.has(name))],
    named: (name) => own.get(name) ?? granted?.named(name),
    byId: (toolId) => own.get(toolId) ?? granted?.byId(toolId),
  };
}
