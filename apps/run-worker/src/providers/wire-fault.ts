import { isRecord } from '@lensforge/contracts';
import type { EgressFailed, EgressFault } from '@lensforge/egress';
import { ProviderFault, type ProviderFaultKind } from './provider.js';
import { ratesIn, retryAfterIn } from './rates.js';

/** A failed call, as far as the client library reports it. */
export interface FailedCall {
  statusCode?: number | undefined;
  responseHeaders?: Record<string, string> | undefined;
  responseBody?: string | undefined;
}

const longest = 300;

/** Maps a failed HTTP call to a ProviderFault; `secrets` are removed from its message. */
export function faultOfCall(call: FailedCall, secrets: readonly string[], now: number): ProviderFault {
  const { statusCode = 0, responseHeaders = {}, responseBody = '' } = call;
  const body = readBody(responseBody);
  const reported = reportedError(body);
  const kind = classifyFault(statusCode, reported);
  const retryAfterMs = retryAfterIn(responseHeaders, body, now);
  return new ProviderFault(
    kind,
    describeProviderFault(kind, statusCode, reported, secrets),
    retryAfterMs,
    ratesIn(responseHeaders, now),
  );
}

/** Maps an error within a stream to a ProviderFault. */
export function faultOfFrame(frame: unknown, secrets: readonly string[]): ProviderFault {
  const reported = reportedError(frame);
  const kind = reported.words === '' ? 'broken' : classifyFault(0, reported);
  return new ProviderFault(kind, describeProviderFault(kind, 0, reported, secrets));
}

const connectionLost = 'the connection was lost';
const networkFaults: Partial<Record<EgressFault, [ProviderFaultKind, string]>> = {
  url_not_allowed: ['broken', 'this platform may not call its address'],
  address_not_allowed: ['broken', 'this platform may not call its address'],
  dns_failed: ['unavailable', 'its name could not be looked up'],
  connect_failed: ['unavailable', 'it could not be reached'],
  connect_timeout: ['unavailable', 'it could not be reached in time'],
  tls_failed: ['unavailable', 'no secure connection could be made'],
  answer_timeout: ['unavailable', 'it did not answer in time'],
  total_timeout: ['unavailable', 'it did not answer in time'],
  connection_lost: ['unavailable', connectionLost],
  canceled: ['unavailable', connectionLost],
  bad_answer: ['broken', 'its answer could not be read'],
};

/** Maps a network fault, or returns undefined. Messages of libraries may name addresses, so they are not passed on. */
export function faultOfNetwork(reason: unknown): ProviderFault | undefined {
  for (let error = reason, depth = 0; depth < 5 && error instanceof Error; error = error.cause, depth += 1) {
    if (error instanceof ProviderFault) return error;
    if (!isEgressFailed(error)) continue;
    const [kind, message] = networkFaults[error.fault] ?? ['broken', 'its answer was too long'];
    return new ProviderFault(kind, message);
  }
  return undefined;
}

/* Compares the name, because a worker without a provider key does not load the egress library. */
const isEgressFailed = (error: Error): error is EgressFailed => error.name === 'EgressFailed' && 'fault' in error;

interface ReportedError {
  message: string;
  /** All codes and types of the error, in lower case. */
  words: string;
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reportedError(body: unknown): ReportedError {
  const outer = Array.isArray(body) ? (body[0] as unknown) : body;
  const inner = isRecord(outer) && isRecord(outer['error']) ? outer['error'] : outer;
  if (!isRecord(inner)) return { message: '', words: '' };
  const words = ['code', 'type', 'status', 'reason']
    .map((name) => inner[name])
    .filter((each) => typeof each === 'string');
  const message = typeof inner['message'] === 'string' ? inner['message'] : '';
  return { message, words: words.join(' ').toLowerCase() };
}

const unpaid = /insufficient_quota|billing|credit balance|payment_required|out of credit|prepayment credits/;
const filtered = /content_filter|content_policy|safety|moderation/;

function classifyFault(status: number, { message, words }: ReportedError): ProviderFaultKind {
  const all = `${words} ${message.toLowerCase()}`;
  if (status === 402 || (status < 500 && unpaid.test(all))) return 'unpaid';
  if (filtered.test(words)) return 'filtered';
  if (status === 401 || status === 403 || /authentication|invalid_api_key|api key not valid|permission/.test(all))
    return 'unauthorized';
  if (status === 429 || /rate_limit|resource_exhausted|too_many_requests/.test(words)) return 'limited';
  if (status === 404 || status === 405) return 'broken';
  if ([408, 409, 425].includes(status) || status >= 500) return 'unavailable';
  if (/overloaded|server_error|unavailable|api_error|timeout/.test(words)) return 'unavailable';
  return status >= 400 || /invalid_request|invalid_argument/.test(words) ? 'refused' : 'broken';
}

function describeProviderFault(
  kind: ProviderFaultKind,
  status: number,
  { message }: ReportedError,
  secrets: readonly string[],
): string {
  const http = status > 0 ? ` (HTTP ${status})` : '';
  switch (kind) {
    case 'unauthorized':
      return `the key was not accepted${http}`;
    case 'unpaid':
      return `the account behind the key has run out of credit${http}`;
    case 'limited':
      return `too many requests${http}`;
    case 'unavailable':
      return `it cannot answer at the moment${http}`;
    case 'refused':
    case 'filtered':
    case 'broken': {
      const words = redact(message, secrets).trim();
      const what = {
        refused: 'the request was refused',
        filtered: 'its content filter blocked the answer',
        broken: status === 404 ? 'it does not know this model' : 'its answer could not be read',
      };
      return `${what[kind]}${http}${words === '' ? '' : `: ${words}`}`;
    }
  }
}

const looksSecret = /\b(sk|pk|rk|key|AIza|Bearer|x-api-key)[-_: ]*[\w-]{8,}/gi;

/** Removes secrets, which a provider may repeat in its message. */
function redact(message: string, secrets: readonly string[]): string {
  let text = message.slice(0, 2000);
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '…');
  text = text.replace(looksSecret, '…').replace(/\s+/g, ' ');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
