import { tools } from '@lensforge/tools';
import { agentExamples } from './agents.js';
import { battleExamples } from './battles.js';
import { lensExamples } from './lenses.js';
import { workflowExamples } from './workflows.js';
import type { Example } from './fixtures.js';

/** Valid arguments for each tool of the catalogue, and arguments that cause each error it declares. */
export const examples: Readonly<Record<string, Example>> = {
  ...lensExamples,
  ...battleExamples,
  ...workflowExamples,
  ...agentExamples,
};

/** The tools that a token can call; one is for the service role, over stdio. */
export const toolsOfTokens = tools.filter(({ name }) => name !== 'start_agent_team_run');
