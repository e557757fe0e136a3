import type { Context } from '@lensforge/core';
import type { Form, FormAnswer, ToolClient, ToolResult } from '@lensforge/tools';
import type { JsonRpcError } from '../json-rpc.js';

/** Work that goes on after the result of a tools/call, as the extension of the protocol has it. */
export interface Task {
  readonly taskId: string;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Null without an end. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
}

export type TaskState =
  | { readonly status: 'working' | 'cancelled' }
  | { readonly status: 'input_required'; readonly forms: Readonly<Record<string, Form>> }
  | { readonly status: 'completed'; readonly result: ToolResult }
  | { readonly status: 'failed'; readonly error: JsonRpcError };

/** The tasks of the tools that are served. */
export interface Tasks {
  readonly read: (ctx: Context, taskId: string, client: ToolClient) => Promise<Task & TaskState>;
  /** Takes the answers to forms that still wait; it ignores all others. */
  readonly update: (
    ctx: Context,
    taskId: string,
    answers: Readonly<Record<string, FormAnswer | undefined>>,
  ) => Promise<void>;
  /** Asks the work to stop; a task that has ended stays as it is. */
  readonly cancel: (ctx: Context, taskId: string) => Promise<void>;
}
