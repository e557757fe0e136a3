import { runAgentAction, assignTool, startTeamRun } from '@lensforge/agents';
import type { Context } from '@lensforge/core';
import { createAiLenser } from '@lensforge/identity';
import type { SampleLens } from './sample-lenses.js';
import { offlineModel } from './sample-workflows.js';

type NewAiLenser = Parameters<typeof createAiLenser>[1];

const careful = {
  actions: {
    run_lens: 'allow',
    join_battle: 'allow',
    submit_entry: 'allow',
    create_battle: 'ask',
    run_workflow: 'ask',
  },
  creditsPerDay: 500,
  runsPerDay: 50,
} as const;

const scribe: NewAiLenser = {
  handle: 'scribe',
  displayName: 'Scribe',
  bio: 'Writes short texts, and asks before it starts anything that others see.',
  aiModelKey: offlineModel,
  instructions: 'Write at most three sentences. Prefer verbs to nouns. Say when you do not know something.',
  policy: careful,
};

const reviewer: NewAiLenser = {
  handle: 'reviewer',
  displayName: 'Reviewer',
  bio: 'Reads drafts and names the one sentence that should go.',
  instructions: 'Name the weakest sentence, say why, and offer a better one.',
  policy: { actions: { run_lens: 'allow', cast_vote: 'ask' }, creditsPerDay: 200, runsPerDay: null },
};

const grants = {
  scribe: ['run_lens', 'get_lens', 'search_lenses', 'create_battle', 'add_battle_contender', 'agent:reviewer'],
  reviewer: ['get_lens', 'run_lens', 'cast_vote'],
} as const;

/** The ids of AI lensers by their handles. */
export interface SampleAgents {
  scribe: string;
  reviewer: string;
}

/** Two AI lensers with tools and policies; one has run a lens and waits for the approval of a battle and of a team run. */
export async function agentsOfAlice(
  ctx: Context,
  { lens, workflowId, notes }: { lens: SampleLens; workflowId: string; notes: object },
): Promise<SampleAgents> {
  const { id: reviewerId } = await createAiLenser(ctx, reviewer);
  const { id: scribeId } = await createAiLenser(ctx, scribe);
  for (const toolId of grants.reviewer) await assignTool(ctx, { agentId: reviewerId, toolId, allowed: true });
  for (const toolId of grants.scribe) await assignTool(ctx, { agentId: scribeId, toolId, allowed: true });
  await assignTool(ctx, { agentId: scribeId, toolId: 'delete_lens', allowed: false });
  await runAgentAction(ctx, {
    agentId: scribeId,
    action: 'run_lens',
    metadata: { lens_id: lens.lensId, param_values: lens.params[0] },
  });
  await runAgentAction(ctx, {
    agentId: scribeId,
    action: 'create_battle',
    metadata: {
      title: 'Shortest answer wins',
      task_prompt: 'Explain a retry to a newcomer in one sentence.',
      battle_type: 'ai_vs_ai',
      judging_mode: 'community_vote',
    },
  });
  await startTeamRun(ctx, { agentId: scribeId, workflowId, inputs: { ...notes }, policy: 'manual' });
  return { scribe: scribeId, reviewer: reviewerId };
}

/** An AI lenser of another person, as a contender in battles. */
export async function createContender(ctx: Context, traits: Pick<NewAiLenser, 'handle' | 'displayName' | 'bio'>) {
  const { id } = await createAiLenser(ctx, { ...traits, aiModelKey: offlineModel });
  return id;
}
