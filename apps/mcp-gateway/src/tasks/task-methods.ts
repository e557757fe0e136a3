import type { AccountRateClass } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { Form } from '@lensforge/tools';
import { readAnswers, readClient, requireTasks } from '../client.js';
import { type Perform, RpcFault, codes } from '../json-rpc.js';
import type { Task, TaskState, Tasks } from './task.js';

interface TaskMethod {
  readonly rate: AccountRateClass;
  readonly perform: Perform;
}

/** The methods of the extension for tasks, by their names. */
export const taskMethods = ({ read, update, cancel }: Tasks): Readonly<Record<string, TaskMethod>> => ({
  'tasks/get': {
    rate: 'read',
    perform: ofTask(async (ctx, taskId, params) => toDetailedTask(await read(ctx, taskId, readClient(params)))),
  },
  'tasks/update': {
    rate: 'write',
    perform: ofTask(async (ctx, taskId, params) => {
      await update(ctx, taskId, readAnswers(params));
      return {};
    }),
  },
  'tasks/cancel': {
    rate: 'write',
    perform: ofTask(async (ctx, taskId) => {
      await cancel(ctx, taskId);
      return {};
    }),
  },
});

const ofTask =
  (perform: (ctx: Context, taskId: string, params: Parameters<Perform>[1]) => Promise<object>): Perform =>
  (ctx, params) => {
    requireTasks(readClient(params));
    const { taskId } = params;
    if (typeof taskId !== 'string') throw new RpcFault(codes.invalidParams, 'params.taskId must be a string');
    return perform(ctx, taskId, params);
  };

export const toInputRequests = (forms: Readonly<Record<string, Form>>): object =>
  Object.fromEntries(Object.entries(forms).map(([key, params]) => [key, { method: 'elicitation/create', params }]));

/** A task as tasks/get answers it. */
function toDetailedTask(task: Task & TaskState): object {
  if (task.status !== 'input_required') return task;
  const { forms, ...rest } = task;
  return { ...rest, inputRequests: toInputRequests(forms) };
}

/** A task as tools/call answers it: tasks/get has the answers that it waits for, and its outcome. */
export const toNewTask = (task: Task & TaskState): object => ({
  resultType: 'task',
  taskId: task.taskId,
  status: task.status,
  ...(task.statusMessage !== undefined && { statusMessage: task.statusMessage }),
  createdAt: task.createdAt,
  lastUpdatedAt: task.lastUpdatedAt,
  ttlMs: task.ttlMs,
  pollIntervalMs: task.pollIntervalMs,
});
