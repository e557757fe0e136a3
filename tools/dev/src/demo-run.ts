import { demoParams } from './demo-params.js';

export interface DemoRun {
  runId: string;
  /** The last status of its event stream; undefined when the stream did not end in time. */
  status: string | undefined;
}

const patienceMs = 15_000;

async function readText(stream: Response): Promise<string> {
  let text = '';
  try {
    for await (const chunk of (stream.body ?? []) as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString();
  } catch {
    /* out of time: the run has no last status */
  }
  return text;
}

/** Runs the demo lens as a caller would: over REST, then following its event stream to the end. It costs nothing. */
export async function runDemo(api: string, token: string, lensId: string, interrupted: AbortSignal): Promise<DemoRun> {
  const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), interrupted]);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ params: demoParams, providerOverride: 'offline' });
  const accepted = await fetch(`${api}/v1/lenses/${lensId}/execute`, { method: 'POST', headers, body, signal });
  const answer = (await accepted.json()) as { data?: { runId: string }; error?: { message: string } };
  if (!answer.data) throw new Error(`the demo run was refused (${accepted.status}): ${answer.error?.message}`);
  const { runId } = answer.data;
  const text = await readText(await fetch(`${api}/v1/runs/${runId}/events`, { headers, signal }));
  const [, data] = /^event: done\ndata: (.*)$/m.exec(text) ?? [];
  const done = data ? (JSON.parse(data) as { payload: { status: string } }) : undefined;
  return { runId, status: done?.payload.status };
}
