import type { Scope } from './scopes.js';

/** The tools of the catalogue, with the scope that each one needs. */
export const toolScopes = {
  list_lenses: 'lenses:read',
  search_lenses: 'lenses:read',
  get_lens: 'lenses:read',
  list_lens_versions: 'lenses:read',
  get_lens_version: 'lenses:read',
  extract_lens_params: 'lenses:read',
  validate_lens_params: 'lenses:read',
  create_lens: 'lenses:write',
  update_lens: 'lenses:write',
  fork_lens: 'lenses:write',
  set_lens_visibility: 'lenses:write',
  run_lens: 'lenses:read',
  find_and_run_lens: 'lenses:read',
  archive_lens: 'lenses:write',
  delete_lens: 'lenses:write',
  list_battles: 'community:read',
  get_battle: 'community:read',
  get_battle_score: 'community:read',
  get_battle_history: 'community:read',
  create_battle: 'community:write',
  add_battle_contender: 'community:write',
  submit_battle_run: 'community:write',
  set_battle_status: 'community:write',
  list_workflows: 'workflows:read',
  get_workflow: 'workflows:read',
  get_workflow_run_status: 'workflows:read',
  get_workflow_run_logs: 'workflows:read',
  summarize_workflow: 'workflows:read',
  create_workflow: 'workflows:write',
  run_workflow: 'workflows:write',
  retry_workflow: 'workflows:write',
  list_ai_lensers: 'agents:read',
  get_ai_lenser: 'agents:read',
  list_agent_tools: 'agents:read',
  list_agent_run_events: 'agents:read',
  create_ai_lenser: 'agents:write',
  update_ai_lenser: 'agents:write',
  assign_agent_tool: 'agents:write',
  run_agent_action: 'agents:write',
  start_agent_team_run: 'agents:write',
  archive_ai_lenser: 'agents:write',
  revoke_agent_tool: 'agents:write',
  cancel_agent_run: 'agents:write',
} as const satisfies Record<string, Scope>;

export type ToolName = keyof typeof toolScopes;

/** The scope of each tool that an AI lenser can have. Casting votes is no tool of the catalogue, but a grant of its own. */
const grantableScopes: Readonly<Record<string, Scope>> = { ...toolScopes, cast_vote: 'community:write' };

/** With these an AI lenser could extend its own rights or act for another one. */
const neverGranted: readonly string[] = [
  'create_ai_lenser',
  'update_ai_lenser',
  'assign_agent_tool',
  'run_agent_action',
  'start_agent_team_run',
] satisfies ToolName[];

/** The scope of a tool of the platform that can be granted to an AI lenser; undefined for other names. */
export const grantableScope = (toolId: string): Scope | undefined =>
  Object.hasOwn(grantableScopes, toolId) && !neverGranted.includes(toolId) ? grantableScopes[toolId] : undefined;

/** A tool of an external MCP server. */
export const externalToolId = /^mcp:([^/\s]{1,100})\/([^\s]{1,100})$/;
/** All granted tools of an external MCP server, where tools are listed. */
export const externalServerId = /^mcp:[^/\s]{1,100}$/;
/** Another AI lenser of the same owner. */
export const calledAgentId = /^agent:([a-z0-9_-]{3,64})$/;

/** True for a tool that can be granted to an AI lenser. */
export const isGrantable = (toolId: string): boolean =>
  grantableScope(toolId) !== undefined || externalToolId.test(toolId) || calledAgentId.test(toolId);
