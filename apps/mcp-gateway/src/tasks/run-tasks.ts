import { cancelTeamRun, findTeamRun } from '@lensforge/agents';
import type { PlatformRunStatus } from '@lensforge/contracts';
import { type Context, DomainError, isUuid, notFound, requireScope } from '@lensforge/core';
import { cancelRun, readRun } from '@lensforge/runs';
import { type FormAnswer, type ToolClient, endedRunResult } from '@lensforge/tools';
import { RpcFault, codes } from '../json-rpc.js';
import { type Question, listQuestions } from './questions.js';
import type { Task, TaskState, Tasks } from './task.js';

// A task is a run of a lens or a workflow: its id is that of the run, and PostgreSQL has all of its state.

const pollMs = 1000;
const slowPollMs = 5000;
const slowAfterMs = 60_000;

async function readTaskRun(ctx: Context, taskId: string): Promise<PlatformRunStatus> {
  const run = isUuid(taskId) ? await readRun(ctx, taskId) : undefined;
  if (run?.kind !== 'lens' && run?.kind !== 'workflow') throw notFound('task', taskId);
  return run;
}

async function read(ctx: Context, taskId: string, client: ToolClient): Promise<Task & TaskState> {
  const run = await readTaskRun(ctx, taskId);
  const questions = await listQuestions(ctx, run);
  const newest = questions
    .map(({ askedAt }) => askedAt)
    .toSorted()
    .at(-1);
  const { createdAt, startedAt, completedAt } = run;
  const isFresh = ctx.now().getTime() - Date.parse(createdAt) < slowAfterMs;
  return {
    taskId: run.id,
    ...(await readState(ctx, run, { questions, client })),
    createdAt,
    lastUpdatedAt: completedAt ?? newest ?? startedAt ?? createdAt,
    ttlMs: null,
    pollIntervalMs: isFresh ? pollMs : slowPollMs,
  };
}

async function readState(
  ctx: Context,
  run: PlatformRunStatus,
  { questions, client }: { questions: readonly Question[]; client: ToolClient },
): Promise<TaskState & Pick<Task, 'statusMessage'>> {
  switch (run.status) {
    case 'queued':
    case 'running': {
      if (questions.length === 0) return { status: 'working', statusMessage: `The run is ${run.status}` };
      const statusMessage = `The run waits for answers: ${questions.map(({ elsewhere }) => elsewhere).join('; ')}`;
      if (!client.showsForms) return { status: 'working', statusMessage };
      return {
        status: 'input_required',
        statusMessage,
        forms: Object.fromEntries(questions.map(({ key, form }) => [key, form])),
      };
    }
    case 'canceled':
      return { status: 'cancelled', ...(run.errorMessage !== null && { statusMessage: run.errorMessage }) };
    default:
      return { status: 'completed', result: await endedRunResult(ctx, run) };
  }
}

async function update(
  ctx: Context,
  taskId: string,
  answers: Readonly<Record<string, FormAnswer | undefined>>,
): Promise<void> {
  const questions = await listQuestions(ctx, await readTaskRun(ctx, taskId));
  const answered = questions.filter(({ key }) => Object.hasOwn(answers, key));
  // All answers are read before the first is stored.
  const stores = answered.map((question) => question.readAnswer(answers[question.key] ?? malformed(question)));
  for (const store of stores) await store(ctx).catch(ignoreAnswered);
}

const malformed = ({ key }: Question): never => {
  throw new RpcFault(
    codes.invalidParams,
    `params.inputResponses.${key} must be {"action": "accept", "decline" or "cancel", "content": {…}}`,
  );
};

/** Another answer may have come first, or the run has ended. */
function ignoreAnswered(reason: unknown): void {
  if (!(reason instanceof DomainError && ['CONFLICT', 'NOT_FOUND', 'INVALID_TRANSITION'].includes(reason.code)))
    throw reason;
}

async function cancel(ctx: Context, taskId: string): Promise<void> {
  const { id: runId } = await readTaskRun(ctx, taskId);
  const team = await findTeamRun(ctx, runId);
  if (team) requireScope(ctx, 'agents:write');
  await (team ? cancelTeamRun(ctx, { agentId: team.aiLenserId, runId }) : cancelRun(ctx, runId)).catch(
    (reason: unknown) => {
      const hasEnded = reason instanceof DomainError && reason.code === 'INVALID_TRANSITION';
      if (!hasEnded) throw reason;
    },
  );
}

export const runTasks: Tasks = { read, update, cancel };
