import { findTeamRun } from '@lensforge/agents';
import type { PlatformRunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readWorkflowRun, toolRunStatus } from '@lensforge/runs';
import { type ToolResult, toToolResult } from '../tool-result.js';
import { teamRunResult } from './agent.js';
import { outputText, toOutput } from './run-output.js';

/** The result of the tool that has started a run, at the end of the run: with the output, or with the reason of a failure. */
export async function endedRunResult(ctx: Context, run: PlatformRunStatus): Promise<ToolResult> {
  const hasFailed = run.status !== 'succeeded';
  if (run.kind !== 'workflow') return toToolResult(toOutput(run), { hasFailed });
  const ended = await startedResult(ctx, run.id);
  const outcome = hasFailed
    ? `The run has ended as ${run.status}: ${run.errorMessage ?? 'no reason is known'}`
    : outputText(run);
  const { content, ...result } = toToolResult(ended, { hasFailed });
  return { ...result, content: [...content, { type: 'text', text: outcome ?? '' }] };
}

async function startedResult(ctx: Context, runId: string): Promise<object> {
  const team = await findTeamRun(ctx, runId);
  if (team) return teamRunResult(team);
  const { id, status, createdAt, workflowId } = await readWorkflowRun(ctx, runId);
  return { id, status: toolRunStatus[status], created_at: createdAt, workflow_id: workflowId };
}
