/** A tool call of a run, as clients name it when they send its result. */
export type CallRef =
  | { kind: 'answer'; runId: string; index: number }
  /** A run waits for the result of this call. */
  | { kind: 'wait'; runId: string; callId: string };

const pack = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

function unpack(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const idOfCall = (runId: string, index: number): string => `call_${pack(runId)}-${index}`;
export const idOfWait = (runId: string, callId: string): string => `call_${pack(runId)}${pack(callId)}`;

const form = /^call_([\w-]{22})(?:-(\d{1,3})|([\w-]{22}))$/;

/** Undefined for an id that is not ours. */
export function readCallId(id: string): CallRef | undefined {
  const [, run, index, call] = form.exec(id) ?? [];
  if (run === undefined) return undefined;
  const runId = unpack(run);
  if (call !== undefined) return { kind: 'wait', runId, callId: unpack(call) };
  return { kind: 'answer', runId, index: Number(index) };
}
