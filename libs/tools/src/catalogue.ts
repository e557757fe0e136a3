import type { Tool } from './tool.js';
import { archiveAiLenserTool } from './tools/agents/archive-ai-lenser.js';
import { assignAgentToolTool } from './tools/agents/assign-agent-tool.js';
import { cancelAgentRunTool } from './tools/agents/cancel-agent-run.js';
import { createAiLenserTool } from './tools/agents/create-ai-lenser.js';
import { getAiLenserTool } from './tools/agents/get-ai-lenser.js';
import { listAgentRunEventsTool } from './tools/agents/list-agent-run-events.js';
import { listAgentToolsTool } from './tools/agents/list-agent-tools.js';
import { listAiLensersTool } from './tools/agents/list-ai-lensers.js';
import { revokeAgentToolTool } from './tools/agents/revoke-agent-tool.js';
import { runAgentActionTool } from './tools/agents/run-agent-action.js';
import { startAgentTeamRunTool } from './tools/agents/start-agent-team-run.js';
import { updateAiLenserTool } from './tools/agents/update-ai-lenser.js';
import { addBattleContenderTool } from './tools/battles/add-battle-contender.js';
import { createBattleTool } from './tools/battles/create-battle.js';
import { getBattleHistoryTool } from './tools/battles/get-battle-history.js';
import { getBattleScoreTool } from './tools/battles/get-battle-score.js';
import { getBattleTool } from './tools/battles/get-battle.js';
import { listBattlesTool } from './tools/battles/list-battles.js';
import { setBattleStatusTool } from './tools/battles/set-battle-status.js';
import { submitBattleRunTool } from './tools/battles/submit-battle-run.js';
import { cancelExperimentTool } from './tools/evaluation/cancel-experiment.js';
import { getExperimentTool } from './tools/evaluation/get-experiment.js';
import { listDatasetsTool } from './tools/evaluation/list-datasets.js';
import { listExperimentCellsTool } from './tools/evaluation/list-experiment-cells.js';
import { listExperimentsTool } from './tools/evaluation/list-experiments.js';
import { saveDatasetCasesTool } from './tools/evaluation/save-dataset-cases.js';
import { startExperimentTool } from './tools/evaluation/start-experiment.js';
import { executeLensTool } from './tools/extra/execute-lens.js';
import { getRunOutputTool } from './tools/extra/get-run-output.js';
import { archiveLensTool } from './tools/lenses/archive-lens.js';
import { createLensTool } from './tools/lenses/create-lens.js';
import { deleteLensTool } from './tools/lenses/delete-lens.js';
import { extractLensParamsTool } from './tools/lenses/extract-lens-params.js';
import { findAndRunLensTool } from './tools/lenses/find-and-run-lens.js';
import { forkLensTool } from './tools/lenses/fork-lens.js';
import { getLensTool } from './tools/lenses/get-lens.js';
import { getLensVersionTool } from './tools/lenses/get-lens-version.js';
import { listLensVersionsTool } from './tools/lenses/list-lens-versions.js';
import { listLensesTool } from './tools/lenses/list-lenses.js';
import { runLensTool } from './tools/lenses/run-lens.js';
import { searchLensesTool } from './tools/lenses/search-lenses.js';
import { setLensVisibilityTool } from './tools/lenses/set-lens-visibility.js';
import { updateLensTool } from './tools/lenses/update-lens.js';
import { validateLensParamsTool } from './tools/lenses/validate-lens-params.js';
import { createWorkflowTool } from './tools/workflows/create-workflow.js';
import { getWorkflowTool } from './tools/workflows/get-workflow.js';
import { getWorkflowRunLogsTool } from './tools/workflows/get-workflow-run-logs.js';
import { getWorkflowRunStatusTool } from './tools/workflows/get-workflow-run-status.js';
import { listWorkflowsTool } from './tools/workflows/list-workflows.js';
import { retryWorkflowTool } from './tools/workflows/retry-workflow.js';
import { runWorkflowTool } from './tools/workflows/run-workflow.js';
import { summarizeWorkflowTool } from './tools/workflows/summarize-workflow.js';

/** All tools by group, in the order of the documentation, which is the order of tools/list. */
export const catalogue = {
  lenses: [
    listLensesTool,
    searchLensesTool,
    getLensTool,
    listLensVersionsTool,
    getLensVersionTool,
    extractLensParamsTool,
    validateLensParamsTool,
    createLensTool,
    updateLensTool,
    forkLensTool,
    setLensVisibilityTool,
    runLensTool,
    findAndRunLensTool,
    archiveLensTool,
    deleteLensTool,
  ],
  battles: [
    listBattlesTool,
    getBattleTool,
    getBattleScoreTool,
    getBattleHistoryTool,
    createBattleTool,
    addBattleContenderTool,
    submitBattleRunTool,
    setBattleStatusTool,
  ],
  workflows: [
    listWorkflowsTool,
    getWorkflowTool,
    getWorkflowRunStatusTool,
    getWorkflowRunLogsTool,
    summarizeWorkflowTool,
    createWorkflowTool,
    runWorkflowTool,
    retryWorkflowTool,
  ],
  agents: [
    listAiLensersTool,
    getAiLenserTool,
    listAgentToolsTool,
    listAgentRunEventsTool,
    createAiLenserTool,
    updateAiLenserTool,
    assignAgentToolTool,
    runAgentActionTool,
    startAgentTeamRunTool,
    archiveAiLenserTool,
    revokeAgentToolTool,
    cancelAgentRunTool,
  ],
} as const;

export const tools: readonly Tool[] = Object.values(catalogue).flat();

/** Tools beyond the catalogue, which clients ask for by the name of their set. */
export const toolsets = {
  evaluation: [
    listDatasetsTool,
    saveDatasetCasesTool,
    startExperimentTool,
    listExperimentsTool,
    getExperimentTool,
    listExperimentCellsTool,
    cancelExperimentTool,
  ],
  extra: [executeLensTool, getRunOutputTool],
} as const satisfies Record<string, readonly Tool[]>;

export type Toolset = keyof typeof toolsets;

export const toolsetNames = Object.keys(toolsets) as Toolset[];

export const isToolset = (name: string): name is Toolset => Object.hasOwn(toolsets, name);

export type ToolGroup = keyof typeof catalogue;

export const groupNames = Object.keys(catalogue) as ToolGroup[];

/** The tools that a client asks for. */
export interface ToolSelection {
  /** Groups of the catalogue; all when it names none. */
  groups: readonly ToolGroup[];
  /** Sets beyond the catalogue. */
  sets: readonly Toolset[];
  /** True for tools that read alone. */
  readsOnly: boolean;
}

/** The tools of a selection, in the order of the documentation. */
export const selectTools = (all: readonly Tool[], { groups, sets, readsOnly }: ToolSelection): Tool[] => {
  const ofGroups = new Set<Tool>(groups.flatMap((name): readonly Tool[] => catalogue[name]));
  return [
    ...all.filter((tool) => groups.length === 0 || ofGroups.has(tool)),
    ...sets.flatMap((name): readonly Tool[] => toolsets[name]),
  ].filter((tool) => !readsOnly || tool.class === 'Read');
};
