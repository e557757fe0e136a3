import {
  type WaitingToolCall,
  approveTeamRun,
  cancelTeamRun,
  decideAgentApproval,
  findTeamRun,
  listWaitingToolCalls,
} from '@lensforge/agents';
import {
  InvalidInput,
  type PlatformRunStatus,
  type Shape,
  type TeamRun,
  flag,
  jsonSchema,
  maxToolResult,
  parse,
  text,
} from '@lensforge/contracts';
import { type Context, issuesMessage, requireScope } from '@lensforge/core';
import { type OpenWait, answerApproval, answerToolCalls, listOpenRuns, listOpenWaits } from '@lensforge/runs';
import type { Form, FormAnswer } from '@lensforge/tools';
import { RpcFault, codes } from '../json-rpc.js';

// The questions that a run waits for: approvals, and results of tools that only its caller can call.

/** Stores an answer. */
type Store = (ctx: Context) => Promise<unknown>;

export interface Question {
  /** Unique among all questions of the run. */
  readonly key: string;
  readonly form: Form;
  readonly askedAt: string;
  /** How to answer without a form. */
  readonly elsewhere: string;
  /** Checks an answer; throws for one that does not match the form. */
  readonly readAnswer: (answer: FormAnswer) => Store;
}

/** The open questions of a run and of the runs that its nodes have started. */
export async function listQuestions(ctx: Context, run: PlatformRunStatus): Promise<Question[]> {
  if (run.status === 'queued') {
    const team = run.origin === 'team' ? await findTeamRun(ctx, run.id) : undefined;
    return team?.status === 'blocked' ? [toStartQuestion(team)] : [];
  }
  if (run.status !== 'running') return [];
  const open = await listOpenRuns(ctx, run.id);
  const waits = await listOpenWaits(ctx, open);
  const calls = await listWaitingToolCalls(ctx, open);
  return [
    ...waits.map((wait) => (wait.kind === 'tool' ? toToolQuestion(wait) : toApprovalQuestion(wait))),
    ...calls.map(toCallQuestion),
  ];
}

const ignored: Store = () => Promise.resolve();

class Decision {
  @flag()
  approve!: boolean;

  @text({ max: 2000, optional: true })
  comment?: string;
}

class Output {
  @text({ max: maxToolResult, description: 'The result of the tool.' })
  output!: string;
}

/** The schema of a form: no more than the members that forms have. */
function toSchema(shape: Shape): Form['requestedSchema'] {
  const { type, properties, required } = jsonSchema(shape);
  return { type, properties, required };
}

function readContent<T extends object>(
  shape: Shape<T>,
  { key, content }: { key: string } & Pick<FormAnswer, 'content'>,
): T {
  try {
    return parse(shape, content);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new RpcFault(codes.invalidParams, `params.inputResponses.${key}.content: ${issuesMessage(error.issues)}`);
  }
}

/** Reads yes or no: declining is no, and closing the form leaves the question open. */
const readDecision =
  (key: string, decide: (ctx: Context, decision: Decision) => Promise<unknown>) =>
  ({ action, content }: FormAnswer): Store => {
    if (action === 'cancel') return ignored;
    const decision = action === 'decline' ? { approve: false } : readContent(Decision, { key, content });
    return (ctx) => decide(ctx, decision);
  };

function toApprovalQuestion({ id, runId, message, data, requestedAt }: OpenWait): Question {
  const key = `approval-${id}`;
  return {
    key,
    form: { message: withData(message, data), requestedSchema: toSchema(Decision) },
    askedAt: requestedAt,
    elsewhere: `POST /v1/runs/${runId}/approvals/${id}`,
    readAnswer: readDecision(key, (ctx, { approve, comment }) =>
      answerApproval(ctx, {
        runId,
        approvalId: id,
        decision: approve ? 'approve' : 'reject',
        ...(comment !== undefined && { comment }),
      }),
    ),
  };
}

function toToolQuestion({ id, runId, message: name, data, requestedAt }: OpenWait): Question {
  const key = `tool-${id}`;
  return {
    key,
    form: {
      message: withData(`The model calls the tool ${name}, which is yours to carry out: give its result.`, data),
      requestedSchema: toSchema(Output),
    },
    askedAt: requestedAt,
    elsewhere: `POST /v1/runs/${runId}/tool-results`,
    readAnswer: ({ action, content }) => {
      if (action === 'cancel') return ignored;
      const result =
        action === 'accept' ? readContent(Output, { key, content }) : { error: 'The user declined the call' };
      return (ctx) => answerToolCalls(ctx, { runId, results: [{ callId: id, ...result }] });
    },
  };
}

function toCallQuestion({ approvalId, agentId, handle, toolId, input, requestedAt }: WaitingToolCall): Question {
  const key = `call-${approvalId}`;
  return {
    key,
    form: { message: withData(`${handle} asks to call ${toolId}`, input), requestedSchema: toSchema(Decision) },
    askedAt: requestedAt,
    elsewhere: `POST /v1/agents/${agentId}/approvals/${approvalId}`,
    readAnswer: readDecision(key, (ctx, { approve }) => {
      requireScope(ctx, 'agents:write');
      return decideAgentApproval(ctx, { agentId, approvalId, approve });
    }),
  };
}

function toStartQuestion({ id: runId, aiLenserId: agentId, createdAt }: TeamRun): Question {
  const key = `start-${runId}`;
  return {
    key,
    form: { message: 'The team run waits for its owner: may it start?', requestedSchema: toSchema(Decision) },
    askedAt: createdAt,
    elsewhere: `POST /v1/agents/${agentId}/runs/${runId}/approve`,
    readAnswer: readDecision(key, (ctx, { approve }) => {
      requireScope(ctx, 'agents:write');
      return approve ? approveTeamRun(ctx, { agentId, runId }) : cancelTeamRun(ctx, { agentId, runId });
    }),
  };
}

const maxDataLength = 4000;

function withData(message: string, data: unknown): string {
  if (data === null || data === undefined) return message;
  const json = JSON.stringify(data, undefined, 2);
  const shown = json.length > maxDataLength ? `${json.slice(0, maxDataLength)} …` : json;
  return `${message}\n\n${shown}`.trim();
}
