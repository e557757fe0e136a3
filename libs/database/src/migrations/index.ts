import type { Migration } from '../migration.js';
import { baseline } from './0001-baseline/index.js';
import { agents } from './0002-agents.js';
import { runKinds } from './0003-run-kinds.js';
import { battles } from './0004-battles.js';
import { leaderboards } from './0005-leaderboards.js';
import { agentsAct } from './0006-agents-act.js';
import { threads } from './0007-threads.js';
import { agentSteps } from './0008-agent-steps.js';
import { mcpServers } from './0009-mcp-servers.js';
import { mcpAuthorizations } from './0010-mcp-authorizations.js';
import { secondFactors } from './0011-second-factors.js';
import { closedAccounts } from './0012-closed-accounts.js';
import { operators } from './0013-operators.js';
import { sponsorshipsOfAccounts } from './0014-sponsorships-of-accounts.js';
import { lensCases } from './0015-lens-cases.js';
import { accountListens } from './0016-account-listens.js';
import { authorities } from './0017-authorities.js';
import { personalData } from './0018-personal-data.js';
import { holdTerms } from './0019-hold-terms.js';
import { mcpIssuers } from './0020-mcp-issuers.js';
import { storedInstructions } from './0021-stored-instructions.js';
import { modelRates } from './0022-model-rates.js';
import { lensSettings } from './0023-lens-settings.js';
import { toolResults } from './0024-tool-results.js';
import { datasets } from './0025-datasets.js';
import { experiments } from './0026-experiments.js';
import { scorers } from './0027-scorers.js';
import { recordings } from './0028-recordings.js';
import { batches } from './0029-batches.js';
import { httpScorers } from './0030-http-scorers.js';
import { finishReasons } from './0031-finish-reasons.js';
import { releases } from './0032-releases.js';
import { labelArms } from './0033-label-arms.js';
import { labelBounds } from './0034-label-bounds.js';
import { labelProposals } from './0035-label-proposals.js';
import { runScores } from './0036-run-scores.js';
import { evaluationRules } from './0037-evaluation-rules.js';
import { reviewQueues } from './0038-review-queues.js';
import { openAiApi } from './0039-openai-api.js';
import { webhookListeners } from './0040-webhook-listeners.js';
import { workflowCandidates } from './0041-workflow-candidates.js';
import { lensDrafts } from './0042-lens-drafts.js';

/** In order. A migration that has been released is never edited: append another one. */
export const migrations: readonly Migration[] = [
  baseline,
  agents,
  runKinds,
  battles,
  leaderboards,
  agentsAct,
  threads,
  agentSteps,
  mcpServers,
  mcpAuthorizations,
  secondFactors,
  closedAccounts,
  operators,
  sponsorshipsOfAccounts,
  lensCases,
  accountListens,
  authorities,
  personalData,
  holdTerms,
  mcpIssuers,
  storedInstructions,
  modelRates,
  lensSettings,
  toolResults,
  datasets,
  experiments,
  scorers,
  recordings,
  batches,
  httpScorers,
  finishReasons,
  releases,
  labelArms,
  labelBounds,
  labelProposals,
  runScores,
  evaluationRules,
  reviewQueues,
  openAiApi,
  webhookListeners,
  workflowCandidates,
  lensDrafts,
];
