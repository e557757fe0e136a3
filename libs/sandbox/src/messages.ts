/** A task for a sandbox process: the module, the function's name and its input. */
export interface TaskMessage {
  module: string;
  task: string;
  input: unknown;
  /** The largest allowed result, in bytes of JSON. */
  outputBytes: number;
  /** A timeout inside of the process, for when the parent process no longer exists. */
  guardMs: number;
}

/** `begun` is sent when the module is loaded; loading does not count as time of the task. */
export type ReplyMessage = { begun: true } | { result: unknown } | { fault: TaskFault };

export type TaskFault = { kind: 'output_too_large' } | { kind: 'failed'; message: string };
