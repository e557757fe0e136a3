export { decideAgentApproval, listAgentApprovals, listPendingAgentApprovals } from './actions/agent-approvals.js';
export { listWaitingToolCalls } from './actions/waiting-tool-calls.js';
export type { WaitingToolCall } from './actions/waiting-tool-calls.js';
export { modelOfAgent } from './actions/model-of-agent.js';
export { runAgentAction, storeOutcome } from './actions/run-agent-action.js';
export type { AgentActionOrder } from './actions/run-agent-action.js';
export { readToolApproval, requestToolApproval } from './actions/tool-approvals.js';
export type { ToolApproval, ToolCallOfRun } from './actions/tool-approvals.js';
export { findOwnAgent, ownAgent, requireActive } from './access.js';
export { cancelAgentRuns, recordAgentRun, recordAgentRunEnd } from './agent-runs.js';
export type { NewAgentRun } from './agent-runs.js';
export { archiveAgent } from './archive-agent.js';
export { contextOfAgent, contextWith, contextWithRights } from './context-of-agent.js';
export { MAX_TEAM_RUNS_PER_DAY, countAgentRun, limitTeamRuns } from './daily-caps.js';
export { listAgentEvents, readAgentEvents, readAgentPositions, readableAgentLog } from './events/list-agent-events.js';
export type { AgentEventFilter, AgentEvents, AgentLog } from './events/list-agent-events.js';
export { recordAgentEvent } from './events/record-agent-event.js';
export type { AgentEventRecord } from './events/record-agent-event.js';
export { readAgentRights } from './grants/agent-rights.js';
export type { AgentRights } from './grants/agent-rights.js';
export { grantedTools } from './grants/granted-tools.js';
export { assignTool } from './grants/assign-tool.js';
export { listTools } from './grants/list-tools.js';
export { revokeTool } from './grants/revoke-tool.js';
export { platformToolVerdict, toolVerdict } from './grants/tool-verdict.js';
export type { ToolUse, ToolVerdict, VerdictReason } from './grants/tool-verdict.js';
export { approveTeamRun } from './teams/approve-team-run.js';
export { cancelTeamRun } from './teams/cancel-team-run.js';
export { findTeamRun, listTeamRuns, readTeamRun } from './teams/read-team-runs.js';
export { startTeamRun } from './teams/start-team-run.js';
export type { TeamRunOrder } from './teams/start-team-run.js';
export { MAX_MCP_SERVERS, createMcpServer } from './mcp-servers/create-mcp-server.js';
export type { NewMcpServer } from './mcp-servers/create-mcp-server.js';
export { beginMcpAuthorization } from './mcp-servers/begin-authorization.js';
export type { McpAuthorizationOrder } from './mcp-servers/begin-authorization.js';
export {
  completeMcpAuthorization,
  failMcpAuthorization,
  finishMcpAuthorization,
  savePreparedAuthorization,
} from './mcp-servers/finish-authorization.js';
export type { PreparedAuthorization } from './mcp-servers/finish-authorization.js';
export {
  expireMcpAuthorizations,
  mcpAuthorizationWork,
  openMcpAuthorization,
  takeMcpCode,
} from './mcp-servers/mcp-authorization.js';
export type { McpAuthorizationSecret, McpAuthorizationWork } from './mcp-servers/mcp-authorization.js';
export { acceptsMcpIssuer, confirmMcpIssuer, isSameIssuer, suspendedMessage } from './mcp-servers/mcp-issuer.js';
export type { McpIssuer, McpIssuerConfirmationOrder } from './mcp-servers/mcp-issuer.js';
export { deleteMcpServer } from './mcp-servers/delete-mcp-server.js';
export { grantedMcpTools } from './mcp-servers/external-tools.js';
export type { GrantedMcpTool } from './mcp-servers/external-tools.js';
export { listMcpServers } from './mcp-servers/list-mcp-servers.js';
export { listMcpTools } from './mcp-servers/list-mcp-tools.js';
export {
  claimMcpRenewal,
  endMcpRenewal,
  mcpConnection,
  mcpToolConnection,
  openMcpSecret,
  saveMcpSecret,
} from './mcp-servers/mcp-connection.js';
export type { McpConnection } from './mcp-servers/mcp-connection.js';
export type { McpRefreshRef } from './mcp-servers/refresh-mcp-server.js';
export { finishMcpRefresh, isPendingMcpRefresh, startMcpRefresh } from './mcp-servers/refresh-mcp-server.js';
export { readableMcpServer } from './mcp-servers/server-access.js';
export type { McpSecret } from './mcp-servers/server-auth.js';
export type { McpToolDefinition } from './mcp-servers/tool-digest.js';
export { maxToolDepth } from './mcp-servers/tool-digest.js';
export { updateMcpServer } from './mcp-servers/update-mcp-server.js';
