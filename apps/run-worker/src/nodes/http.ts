import { isRecord } from '@lensforge/contracts';
import type { EgressResponse, EgressFailed } from '@lensforge/egress';
import { withoutSecretsInUrl } from '@lensforge/evaluation';
import type { HttpSettings } from '@lensforge/workflows';
import { throughRecording } from '../engine/recorded-calls.js';
import { RunFailure } from '../engine/run-failure.js';
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
  const order = {
    kind: 'http',
    place: work.node.nodeKey,
    request: { method, url: withoutSecretsInUrl(url), headers, ...(given !== undefined && { body: given }) },
  } as const;
  const make = async (): Promise<HttpAnswer> => {
    work.beforeEffect();
    const { complete, ...answer } = await parts.egress.send(method, {
      url,
      headers: {
        'idempotency-key': work.idempotencyKey,
        ...(given !== undefined && typeof given !== 'string' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      signal: work.signal,
    });
    return { complete, status: answer.status, headers: answer.headers, body: complete ? parseBody(answer) : null };
  };
  const isKept = ({ complete, status }: HttpAnswer): boolean => complete && !passingStatus.has(status);
  try {
    const { value: answer } = await throughRecording(work.owner, work.run.cause, order, { make, isKept });
    if (!answer.complete) return failed('ANSWER_TOO_LARGE', 'The answer is too large', { retry: 'final', input });
    const { status, headers } = answer;
    const output = { status, headers, body: answer.body };
    if (status < 400 || anyStatus) return { kind: 'succeeded', output, input };
    return failed('HTTP_STATUS', `The answer has status ${status}`, {
      input,
      afterMs: readRetryAfter(headers),
      ...(passingStatus.has(status) && { retry: 'passing' }),
    });
  } catch (reason) {
    work.signal.throwIfAborted();
    if (reason instanceof RunFailure) return failed(reason.code, reason.message, { input, retry: 'final' });
    if (!isEgressFailed(reason)) throw reason;
    const { fault, message } = reason;
    return failed('HTTP_FAILED', `${fault}: ${message}`, {
      input,
      retry: finalFaults.has(fault) ? 'final' : 'passing',
    });
  }
};

/** An answer as a recording keeps it. */
interface HttpAnswer {
  complete: boolean;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

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

function parseBody({ headers, head }: Pick<EgressResponse, 'headers' | 'head'>): unknown {
  const text = new TextDecoder().decode(head).replaceAll('\0', '\uFFFD');
  if (!/[/+]json\b/i.test(headers['content-type'] ?? '')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function readRetryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) * 1000 : undefined;
}
