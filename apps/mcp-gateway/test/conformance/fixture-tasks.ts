import { newId, notFound } from '@lensforge/core';
import {
  type Form,
  type FormAnswer,
  NeedsAnswers,
  type Tool,
  type ToolClient,
  type ToolResult,
} from '@lensforge/tools';
import { requireTasks } from '../../src/client.js';
import type { Task, TaskState, Tasks } from '../../src/tasks/task.js';

/** Tools that start tasks, and their tasks, which the official conformance suite calls; the tasks end with the process. */

interface FixtureTask {
  createdAt: number;
  endsAt: number;
  /** The forms that it still waits for; it ends with the last answer. */
  forms: ReadonlyMap<string, Form>;
  end: TaskState;
}

const text = (said: string): ToolResult => ({ content: [{ type: 'text', text: said }] });
const completed = (result: ToolResult): TaskState => ({ status: 'completed', result });
const form = (message: string, member: string, type: string): Form => ({
  message,
  requestedSchema: { type: 'object', properties: { [member]: { type } }, required: [member] },
});

const started = new Map<string, FixtureTask>();
const taskOf = (taskId: string): FixtureTask => {
  const task = started.get(taskId);
  if (!task) throw notFound('task', taskId);
  return task;
};
const stateOf = ({ forms, endsAt, end }: FixtureTask): TaskState => {
  if (forms.size > 0) return { status: 'input_required', forms: Object.fromEntries(forms) };
  return Date.now() < endsAt ? { status: 'working' } : end;
};
const toIso = (ms: number): string => new Date(ms).toISOString();

export const fixtureTasks: Tasks = {
  read: (_ctx, taskId): Promise<Task & TaskState> => {
    const task = taskOf(taskId);
    const times = { createdAt: toIso(task.createdAt), lastUpdatedAt: toIso(task.createdAt) };
    return Promise.resolve({ taskId, ...times, ttlMs: null, pollIntervalMs: 100, ...stateOf(task) });
  },
  update: (_ctx, taskId, answers) => {
    const task = taskOf(taskId);
    task.forms = new Map([...task.forms].filter(([key]) => !Object.hasOwn(answers, key)));
    return Promise.resolve();
  },
  cancel: (_ctx, taskId) => {
    const task = taskOf(taskId);
    if (stateOf(task).status === 'working') Object.assign(task, { endsAt: 0, end: { status: 'cancelled' } });
    return Promise.resolve();
  },
};

type Start = (args: Record<string, unknown>, client: ToolClient) => Partial<FixtureTask> | ToolResult;

const isResult = (started: object): started is ToolResult => 'content' in started;

/** A tool whose call starts a task, or has a result at once. */
const starting = (name: string, start: Start): Tool => ({
  name,
  class: 'Execute',
  rate: 'read',
  scope: 'lenses:read',
  errors: [],
  listed: { name, description: `A fixture: ${name}`, inputSchema: { type: 'object' } },
  toTaskId: (result) => (result as { taskId?: string }).taskId,
  call: (_ctx, args, client) => {
    if (!client) throw new Error('the fixtures of tasks are for the stateless revisions');
    const outcome = start(args as Record<string, unknown>, client);
    if (isResult(outcome)) return Promise.resolve(outcome);
    const taskId = newId();
    const now = Date.now();
    started.set(taskId, { createdAt: now, endsAt: now, forms: new Map(), end: completed(text('done')), ...outcome });
    return Promise.resolve({ content: [], structuredContent: { taskId } });
  },
});

const nameIn = (answer: FormAnswer | undefined): string => String(answer?.content['name']);

export const taskTools: readonly Tool[] = [
  starting('greet', ({ name }) => text(`Hello, ${String(name)}!`)),
  starting('slow_compute', ({ seconds }, { acceptsTasks }) =>
    acceptsTasks ? { endsAt: Date.now() + Number(seconds) * 1000, end: completed(text('computed')) } : text('computed'),
  ),
  starting('failing_job', (_args, client) => {
    requireTasks(client);
    return { end: completed({ ...text('The job has failed'), isError: true }) };
  }),
  starting('protocol_error_job', () => ({
    end: { status: 'failed', error: { code: -32603, message: 'An internal error' } },
  })),
  starting('confirm_delete', () => ({ forms: new Map([[newId(), form('Delete the file?', 'confirm', 'boolean')]]) })),
  starting('multi_input', () => ({
    forms: new Map(['The first?', 'The second?'].map((message) => [newId(), form(message, 'name', 'string')])),
  })),
  starting('test_tool_with_task', (_args, { answers }) =>
    answers['user_name']
      ? { end: completed(text(`Hello, ${nameIn(answers['user_name'])}!`)) }
      : new NeedsAnswers({ user_name: form('Your name?', 'name', 'string') }),
  ),
];
