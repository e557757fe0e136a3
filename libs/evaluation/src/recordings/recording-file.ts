import { isRecord } from '@lensforge/contracts';
import { badInput } from '@lensforge/core';
import { type OutsideCall, callKinds } from './outside-call.js';

/** A recorded call with its answer. */
export interface RecordedCall extends OutsideCall {
  response: unknown;
}

/** The first line of a file. */
const header = { recording: 'lensforge', version: 1 } as const;

/** The first line of a file, by which it is recognised. */
export const recordingHeader = `${JSON.stringify(header)}\n`;

export const writeRecordingLine = ({ kind, place, repetition, request, response }: RecordedCall): string =>
  `${JSON.stringify({ kind, place, repetition, request, response })}\n`;

const maxCalls = 100_000;
const maxPlace = 600;

/** Reads the calls of a file; a fault names its line. */
export function readRecordingFile(content: string): RecordedCall[] {
  const [first = '', ...lines] = content.split('\n');
  const head = parseLine(first, 1);
  if (head['recording'] !== header.recording || head['version'] !== header.version) {
    throw badInput('content', `line 1: is not ${JSON.stringify(header)}, so that this is no recording`);
  }
  const calls = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [readCall(parseLine(line, index + 2), index + 2)],
  );
  if (calls.length > maxCalls) throw badInput('content', `has ${calls.length} calls, and may have ${maxCalls}`);
  return calls;
}

function parseLine(line: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (isRecord(value)) return value;
  } catch {
    // The fault below says where.
  }
  throw badInput('content', `line ${number}: is not a JSON object`);
}

function readCall({ kind, place, repetition, request, response }: Record<string, unknown>, line: number): RecordedCall {
  const fault = (member: string): never => {
    throw badInput('content', `line ${line}: ${member} is missing or wrong`);
  };
  const known = callKinds.find((each) => each === kind) ?? fault('kind');
  if (typeof place !== 'string' || place.length > maxPlace) return fault('place');
  if (typeof repetition !== 'number' || !Number.isInteger(repetition) || repetition < 1 || repetition > 100)
    return fault('repetition');
  if (!isRecord(request)) return fault('request');
  if (response === undefined) return fault('response');
  return { kind: known, place, repetition, request, response };
}
