import { agentActionEndpoints } from '../resources/agent-actions.js';
import { agentEndpoints } from '../resources/agents.js';
import { auditEndpoints } from '../resources/audit.js';
import { battleEndpoints } from '../resources/battle-endpoints.js';
import { communityEndpoints } from '../resources/communities.js';
import { connectorEndpoints } from '../resources/connectors.js';
import type { Endpoint } from './endpoint.js';
import { healthEndpoints } from '../resources/health.js';
import { lensEndpoints } from '../resources/lens-endpoints.js';
import { leaderboardEndpoints } from '../resources/leaderboards.js';
import { labelProposalEndpoints } from '../resources/label-proposals.js';
import { meEndpoints } from '../resources/me.js';
import { releaseStatisticsEndpoints } from '../resources/release-statistics.js';
import { reviewQueueEndpoints } from '../resources/review-queues.js';
import { evaluationRuleEndpoints } from '../resources/evaluation-rules.js';
import { scoreStatisticsEndpoints } from '../resources/score-statistics.js';
import { runScoreEndpoints } from '../resources/run-scores.js';
import { runNodeEndpoints } from '../resources/run-nodes.js';
import { runOperationEndpoints } from '../resources/run-operations.js';
import { runStatisticsEndpoints } from '../resources/run-statistics.js';
import { runEndpoints } from '../resources/runs.js';
import { threadEndpoints } from '../resources/threads.js';
import { tokenEndpoints } from '../resources/tokens.js';
import { modelEndpoints } from '../resources/models.js';
import { apiDescriptionEndpoints } from '../resources/api-description.js';
import { creditEndpoints } from '../resources/credits.js';
import { datasetEndpoints } from '../resources/datasets.js';
import { experimentEndpoints } from '../resources/experiment-endpoints.js';
import { recordingEndpoints } from '../resources/recording-endpoints.js';
import { scorerEndpoints } from '../resources/scorer-endpoints.js';
import { byokKeyEndpoints } from '../resources/byok-keys.js';
import { mcpServerEndpoints } from '../resources/mcp-servers.js';
import { localRunEndpoints } from '../resources/local-runs.js';
import { workflowEndpoints } from '../resources/workflow-endpoints.js';
import { scheduleEndpoints } from '../resources/schedules.js';
import { webhookEndpointEndpoints } from '../resources/webhook-endpoints.js';
import { incomingWebhookEndpoints } from '../resources/incoming-webhooks.js';
import { operatorEndpoints } from '../resources/operator.js';
import { partnerEndpoints } from '../resources/partners.js';

/** The endpoint table of the REST API; controllers, OpenAPI, SDK types and tests are derived from it. */
export const endpoints = {
  ...healthEndpoints,
  ...apiDescriptionEndpoints,
  ...meEndpoints,
  ...tokenEndpoints,
  ...connectorEndpoints,
  ...battleEndpoints,
  ...leaderboardEndpoints,
  ...communityEndpoints,
  ...agentEndpoints,
  ...agentActionEndpoints,
  ...mcpServerEndpoints,
  ...threadEndpoints,
  ...auditEndpoints,
  ...lensEndpoints,
  ...datasetEndpoints,
  ...experimentEndpoints,
  ...scorerEndpoints,
  ...recordingEndpoints,
  ...runEndpoints,
  ...runStatisticsEndpoints,
  ...releaseStatisticsEndpoints,
  ...scoreStatisticsEndpoints,
  ...runScoreEndpoints,
  ...evaluationRuleEndpoints,
  ...reviewQueueEndpoints,
  ...labelProposalEndpoints,
  ...runOperationEndpoints,
  ...runNodeEndpoints,
  ...modelEndpoints,
  ...creditEndpoints,
  ...byokKeyEndpoints,
  ...localRunEndpoints,
  ...workflowEndpoints,
  ...scheduleEndpoints,
  ...webhookEndpointEndpoints,
  ...incomingWebhookEndpoints,
  ...operatorEndpoints,
  ...partnerEndpoints,
} as const satisfies Record<string, Endpoint>;
