/** A task for a sandbox process: a function of a module, by its name, and what it is given. */
export interface TaskMessage {
  module: string;
  task: string;
  input: unknown;
  /** The largest result, as bytes of JSON. */
  outputBytes: number;
  /** Ends the computation from inside when the parent process is no longer there to do it. */
  guardMs: number;
}

/** `begun` comes when the module is loaded: loading does not count as time of the task. */
export type ReplyMessage = { begun: true } | { result: unknown } | { fault: TaskFault };

export type TaskFault = { kind: 'output_too_large' } | { kind: 'failed'; message: string };
