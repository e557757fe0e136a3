import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type SdkCase, SdkPerformer, readSdkCases, sdkLanguages, withPatterns } from '@lensforge/testing';
import {
  type Answer,
  type ScriptedServer,
  aScriptedServer,
  cut,
  data,
  frames,
  refusal,
  silence,
} from './scripted-server.js';

// One file of cases for the SDKs of all languages.

type ScriptedAnswer =
  | 'cut'
  | 'silence'
  | { data: unknown; meta?: object }
  | { refusal: [number, string]; details?: object; retryAfter?: string }
  | { frames: number[]; then: 'cut' | 'done' | 'silence' }
  | { status: number; type?: string; text?: string; cutInto?: number };

interface ScriptedCase extends SdkCase {
  answers: ScriptedAnswer[];
  requests?: number | { body?: unknown; headers?: object }[];
  /** Which requests have the same idempotency key. */
  keys?: number[];
}

function toAnswer(answer: ScriptedAnswer): Answer {
  if (answer === 'cut') return cut;
  if (answer === 'silence') return silence;
  if ('data' in answer) return data(answer.data, answer.meta);
  if ('refusal' in answer) {
    const {
      refusal: [status, code],
      details,
      retryAfter,
    } = answer;
    return refusal(status, code, {
      ...(details && { details }),
      ...(retryAfter && { headers: { 'retry-after': retryAfter } }),
    });
  }
  if ('frames' in answer)
    return frames(answer.frames, { cutAfter: answer.then === 'cut', done: answer.then === 'done' });
  const { status, type, text = '', cutInto } = answer;
  const bytes = Buffer.from(text);
  return (response) => {
    response.writeHead(status, type === undefined ? {} : { 'content-type': type });
    if (cutInto === undefined) return void response.end(bytes);
    response.write(bytes.subarray(0, cutInto));
    setTimeout(() => response.end(bytes.subarray(cutInto)), 20);
  };
}

let server: ScriptedServer;
afterEach(() => server.stop());

describe.each(sdkLanguages())('the SDK for $name', (language) => {
  let performer: SdkPerformer;
  beforeAll(() => {
    performer = new SdkPerformer(language);
  });
  afterAll(() => performer.close());

  it.each(readSdkCases<ScriptedCase>('scripted.json'))('$name', async ({ answers, calls, tokens, requests, keys }) => {
    server = await aScriptedServer(...answers.map(toAnswer));
    const outcomes = await performer.perform(server.url, tokens ?? ['token-1'], calls);
    calls.forEach(({ gives = {} }, at) => {
      if (!('error' in gives)) expect(outcomes[at]).not.toHaveProperty('error');
      expect(outcomes[at]).toMatchObject(withPatterns(gives, expect.stringMatching) as object);
    });
    const bodies = server.requests.map(({ body }) => (body === '' ? '' : (JSON.parse(body) as unknown)));
    const received = server.requests.map((request, at) => ({ ...request, body: bodies[at] }));
    if (typeof requests === 'number') expect(received).toHaveLength(requests);
    else if (requests) expect(received).toMatchObject(requests);
    if (keys) {
      const sent = bodies.map((body) => (body as { idempotencyKey: string }).idempotencyKey);
      expect(sent.map((key) => [...new Set(sent)].indexOf(key))).toEqual(keys);
      for (const key of sent) expect(key).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
