import { type Check, type CheckScore, checkOutput, needsJavascript } from './check-output.js';
import type { Subject } from './assertion.js';
import { openJavascript } from './javascript.js';

export interface CheckTask {
  check: Check;
  subject: Subject;
}

/** Scores outputs; the interpreter is loaded only for code of users. */
async function checkOutputs(list: readonly CheckTask[]): Promise<CheckScore[]> {
  const evaluate = list.some(({ check }) => check.assertions.some(needsJavascript))
    ? await openJavascript()
    : undefined;
  return list.map(({ check, subject }) => checkOutput(check, subject, evaluate));
}

export const checkTasks = { checkOutputs };
export const tasks = checkTasks;
