import type { Message } from '@lensforge/models';
import { isRecord } from '@lensforge/contracts';
import { absentToken, fenced } from '@lensforge/judges';
import type { StoredStep, StoredToolCall } from '@lensforge/runs';

// Pure functions of the stored steps of an agent: its next move, and what the model reads.

export interface MoveLimits {
  maxSteps: number;
  /** The fault of an answer; undefined when it is valid. */
  faultIn: (text: string) => string | undefined;
}

export type Move =
  | { kind: 'request'; step: number }
  /** The calls of the last step without a result. */
  | { kind: 'call'; step: number; calls: readonly StoredToolCall[] }
  | { kind: 'answer'; text: string }
  | { kind: 'fail'; code: 'OUTPUT_NOT_VALID' | 'LIMIT_REACHED'; message: string };

const maxRepairs = 2;

const isSettled = ({ state }: StoredToolCall): boolean => state === 'done' || state === 'unknown';

/** Decides how an agent continues behind its last step. */
export function nextMove(steps: readonly StoredStep[], { maxSteps, faultIn }: MoveLimits): Move {
  const last = steps.at(-1);
  if (last && last.calls.length > 0) {
    const calls = last.calls.filter((call) => !isSettled(call));
    if (calls.length > 0) return { kind: 'call', step: last.step, calls };
  } else if (last) {
    const fault = faultIn(last.text);
    if (fault === undefined) return { kind: 'answer', text: last.text };
    const answers = steps.filter(({ calls }) => calls.length === 0).length;
    if (answers > maxRepairs) {
      return { kind: 'fail', code: 'OUTPUT_NOT_VALID', message: `The answer does not fit outputSchema: ${fault}` };
    }
  }
  if (steps.length >= maxSteps) {
    const message = `There was no answer within ${maxSteps} steps; give the model less to do, or an agent a higher maxSteps`;
    return { kind: 'fail', code: 'LIMIT_REACHED', message };
  }
  return { kind: 'request', step: (last?.step ?? 0) + 1 };
}

export interface MessageOptions {
  /** The oldest results of tools that are given in short. */
  reduced: number;
  faultIn: MoveLimits['faultIn'];
  /** Unique for the conversation. */
  seed: string;
  /** True for a call whose result is of the caller, and not data of others. */
  isOfCaller?: (call: StoredToolCall) => boolean;
}

/** The conversation as the model reads it. Results of tools are data between fences, unless they are of the caller. */
export function toMessages(steps: readonly StoredStep[], options: MessageOptions): Message[] {
  const { reduced, faultIn, seed, isOfCaller = () => false } = options;
  let results = 0;
  return steps.flatMap((step): Message[] => {
    const said: Message = { role: 'assistant', text: step.text, toolCalls: step.calls.map(toToolCall) };
    if (step.calls.length === 0) {
      const fault = faultIn(step.text) ?? '';
      return [said, { role: 'user', text: `Your answer does not fit the JSON Schema: ${fault}. Answer again.` }];
    }
    const answers = step.calls.map((call) => {
      results += 1;
      return {
        callId: call.callId,
        name: call.name,
        text: resultText(call, {
          isShort: results <= reduced,
          seed: `${seed}:${step.step}:${call.position}`,
          isPlain: isOfCaller(call),
        }),
        isError: call.isError ?? false,
      };
    });
    return [said, { role: 'tool', results: answers }];
  });
}

const toToolCall = ({ callId: id, name, input, metadata }: StoredToolCall) => ({
  id,
  name,
  input: isRecord(input) ? input : {},
  ...(metadata && { metadata }),
});

const shortCharacters = 400;

interface ResultOptions {
  seed: string;
  isShort: boolean;
  isPlain: boolean;
}

function resultText({ result }: StoredToolCall, { isShort, seed, isPlain }: ResultOptions): string {
  const text = result ?? '';
  if (!isShort || text.length <= shortCharacters)
    return isPlain ? text : fenced({ title: 'TOOL RESULT', text }, absentToken(seed, [text]));
  const omitted = text.length - shortCharacters;
  const head = text.slice(0, shortCharacters).toWellFormed();
  // Each step repeats the results of all steps before it: only those in full, which the context limits, are read as a whole.
  const boundary = absentToken(seed, [head]);
  const mark = `[${boundary}: ${omitted} of ${text.length} characters are left out to save space]`;
  const short = `${head}\n${mark}`;
  return isPlain ? short : fenced({ title: 'TOOL RESULT IN SHORT', text: short }, boundary);
}

/** The number of results of tools in a conversation. */
export const resultsIn = (steps: readonly StoredStep[]): number =>
  steps.reduce((sum, { calls }) => sum + calls.length, 0);
