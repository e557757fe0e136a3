/** The tools of the platform that an AI lenser can have, by group. A check compares them with those of the server. */
export const platformTools = {
  lenses: [
    'list_lenses',
    'search_lenses',
    'get_lens',
    'list_lens_versions',
    'get_lens_version',
    'extract_lens_params',
    'validate_lens_params',
    'create_lens',
    'update_lens',
    'fork_lens',
    'set_lens_visibility',
    'run_lens',
    'find_and_run_lens',
    'archive_lens',
    'delete_lens',
  ],
  battles: [
    'list_battles',
    'get_battle',
    'get_battle_score',
    'get_battle_history',
    'create_battle',
    'add_battle_contender',
    'submit_battle_run',
    'set_battle_status',
    'cast_vote',
  ],
  workflows: [
    'list_workflows',
    'get_workflow',
    'get_workflow_run_status',
    'get_workflow_run_logs',
    'summarize_workflow',
    'create_workflow',
    'run_workflow',
    'retry_workflow',
  ],
  agents: [
    'list_ai_lensers',
    'get_ai_lenser',
    'list_agent_tools',
    'list_agent_run_events',
    'archive_ai_lenser',
    'revoke_agent_tool',
    'cancel_agent_run',
  ],
} as const;

export type ToolGroup = keyof typeof platformTools;
export const toolGroups = Object.keys(platformTools) as ToolGroup[];
