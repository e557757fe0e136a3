import { demoParams } from './demo-params.js';

export interface DemoRun {
  runId: string;
  /** The frames of its event stream. */
  frames: readonly string[];
  done: boolean;
}

const patienceMs = 15_000;

const executeUrl = (api: string, lensId: string): string => `${api}/v1/lenses/${lensId}/execute`;

async function readFrames(stream: Response): Promise<string[]> {
  let text = '';
  try {
    for await (const chunk of (stream.body ?? []) as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString();
  } catch {
    /* out of patience: what came so far is worth showing */
  }
  return text.split('\n\n').filter((frame) => /^data:/m.test(frame));
}

/** Runs the demo lens as a caller would: over REST, then following its event stream to the end. */
export async function runDemo(api: string, token: string, lensId: string, interrupted: AbortSignal): Promise<DemoRun> {
  const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), interrupted]);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ params: demoParams });
  const accepted = await fetch(executeUrl(api, lensId), { method: 'POST', headers, body, signal });
  const answer = (await accepted.json()) as { data?: { runId: string }; error?: { message: string } };
  if (!answer.data) throw new Error(`the demo run was refused (${accepted.status}): ${answer.error?.message}`);
  const { runId } = answer.data;
  const frames = await readFrames(await fetch(`${api}/v1/runs/${runId}/events`, { headers, signal }));
  return { runId, frames, done: /^event: done$/m.test(frames.at(-1) ?? '') };
}

/** Quotes text for a shell. */
export const curlLine = (api: string, token: string, lensId: string): string =>
  [
    `curl -sS -X POST '${executeUrl(api, lensId)}'`,
    `-H 'Authorization: Bearer ${token}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify({ params: demoParams })}'`,
  ].join(' ');
