import { isRecord } from '@lensforge/contracts';
import type { EgressResponse, EgressFailed } from '@lensforge/egress';
import type { HttpSettings } from '@lensforge/workflows';
import { type ExecuteNode, failed } from './node-type.js';

const maxBody = 262_144;
const passingStatus = new Set([408, 425, 429, 500, 502, 503, 504]);
const finalFaults = new Set(['url_not_allowed', 'address_not_allowed', 'answer_too_large']);

/** Calls an address that the owner of the workflow has chosen; egress refuses internal addresses. */
export const http: ExecuteNode<HttpSettings> = async ({ settings, resolve, parts, ...work }) => {
  const { method, anyStatus } = settings;
  const url = resolve(settings.url);
  if (typeof url !== 'string') return failed('BAD_ADDRESS', 'url: its value is not a text', { retry: 'final' });
  const headers = toHeaders(resolve(settings.headers));
  const given = settings.body === undefined ? undefined : resolve(settings.body);
  const body = given === undefined ? undefined : typeof given === 'string' ? given : JSON.stringify(given);
  if (body !== undefined && Buffer.byteLength(body) > maxBody) {
    return failed('BODY_TOO_LARGE', `body: is larger than ${maxBody} bytes`, { retry: 'final' });
  }
  const input = { method, url, ...(given !== undefined && { body: given }) };
  work.beforeEffect();
  try {
    const answer = await parts.egress.send(method, {
      url,
      headers: {
        'idempotency-key': work.idempotencyKey,
        ...(given !== undefined && typeof given !== 'string' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      signal: work.signal,
    });
    if (!answer.complete) return failed('ANSWER_TOO_LARGE', 'The answer is too large', { retry: 'final', input });
    const output = { status: answer.status, headers: answer.headers, body: parseBody(answer) };
    if (answer.status < 400 || anyStatus) return { kind: 'succeeded', output, input };
    return failed('HTTP_STATUS', `The answer has status ${answer.status}`, {
      input,
      afterMs: readRetryAfter(answer),
      ...(passingStatus.has(answer.status) && { retry: 'passing' }),
    });
  } catch (reason) {
    work.signal.throwIfAborted();
    if (!isEgressFailed(reason)) throw reason;
    const { fault, message } = reason;
    return failed('HTTP_FAILED', `${fault}: ${message}`, {
      input,
      retry: finalFaults.has(fault) ? 'final' : 'passing',
    });
  }
};

/** Compares the name, because the library is loaded with the first call. */
const isEgressFailed = (reason: unknown): reason is EgressFailed =>
  reason instanceof Error && reason.name === 'EgressFailed';

function toHeaders(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      each === null ? [] : [[name.toLowerCase(), typeof each === 'string' ? each : JSON.stringify(each)]],
    ),
  );
}

function parseBody({ headers, head }: EgressResponse): unknown {
  const text = new TextDecoder().decode(head).replaceAll('\0', '\uFFFD');
  if (!/[/+]json\b/i.test(headers['content-type'] ?? '')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function readRetryAfter({ headers }: EgressResponse): number | undefined {
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) * 1000 : undefined;
}
