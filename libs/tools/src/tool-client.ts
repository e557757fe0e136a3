import type { ToolResult } from './tool-result.js';

/** The client of a tools/call: its capabilities, and what its user has answered. */
export interface ToolClient {
  /** True when it accepts a task for work that goes on. */
  readonly acceptsTasks: boolean;
  /** True when it can ask its user by a form. */
  readonly showsForms: boolean;
  /** The answers to the forms of an earlier result, by their key. */
  readonly answers: Readonly<Record<string, FormAnswer | undefined>>;
}

/** The answer of a user to a form; content is there when the user accepts. */
export interface FormAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content: Readonly<Record<string, unknown>>;
}

/** A client without any of the capabilities. */
export const plainClient: ToolClient = { acceptsTasks: false, showsForms: false, answers: {} };

/** A form that the client shows to its user. */
export interface Form {
  readonly message: string;
  /** A flat JSON Schema of the answer. */
  readonly requestedSchema: Readonly<Record<string, unknown>>;
}

/** The result of a call that needs answers of the user first; the client then repeats the call with them. */
export class NeedsAnswers implements ToolResult {
  readonly content = [];

  constructor(readonly forms: Readonly<Record<string, Form>>) {}
}
