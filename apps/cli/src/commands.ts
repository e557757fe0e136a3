import type { Command } from './command.js';
import { accountCommands } from './commands/account.js';
import { agentCommands } from './commands/agent.js';
import { apiCommands } from './commands/api.js';
import { battleCommands } from './commands/battle.js';
import { completionCommands } from './commands/completion.js';
import { doctorCommands } from './commands/doctor.js';
import { importCommands } from './commands/import.js';
import { exportCommands } from './commands/export.js';
import { incomingCommands } from './commands/incoming.js';
import { lensCommands } from './commands/lens.js';
import { proposalCommands } from './commands/proposal.js';
import { loginCommands } from './commands/login.js';
import { mcpCommands } from './commands/mcp.js';
import { openCommands } from './commands/open.js';
import { runCommands } from './commands/runs.js';
import { scheduleCommands } from './commands/schedules.js';
import { datasetCommands } from './commands/dataset.js';
import { evalCommands } from './commands/eval.js';
import { threadCommands } from './commands/thread.js';
import { tokenCommands } from './commands/tokens.js';
import { webhookCommands } from './commands/webhooks.js';
import { workflowCommands } from './commands/workflow.js';

/** All commands, in the order of help. */
export const commands: readonly Command[] = [
  ...loginCommands,
  ...tokenCommands,
  ...lensCommands,
  ...proposalCommands,
  ...workflowCommands,
  ...scheduleCommands,
  ...runCommands,
  ...battleCommands,
  ...agentCommands,
  ...mcpCommands,
  ...datasetCommands,
  ...evalCommands,
  ...importCommands,
  ...exportCommands,
  ...threadCommands,
  ...webhookCommands,
  ...incomingCommands,
  ...accountCommands,
  ...openCommands,
  ...doctorCommands,
  ...completionCommands(() => commands),
  ...apiCommands,
];
