import { isRecord } from '@lensforge/contracts';
import { type BatchAccess, ProviderFault } from './provider.js';
import type { Access, AccessForUsers } from './access.js';
import { faultOfCall, faultOfNetwork } from './wire-fault.js';

/** Calls the batch service of a provider. */
export interface BatchHttp {
  json(access: BatchAccess, path: string, options?: CallOptions): Promise<Record<string, unknown>>;
  /** The lines of an answer in JSON Lines. */
  lines(access: BatchAccess, path: string): AsyncIterable<Record<string, unknown>>;
}

export interface CallOptions {
  method?: 'GET' | 'POST';
  body?: object | FormData;
}

export interface BatchHttpParts {
  access: Access | AccessForUsers;
  /** The public address. */
  baseUrl: string;
  headers: (apiKey: string) => Record<string, string>;
}

export function batchHttp({ access: own, baseUrl, headers }: BatchHttpParts): BatchHttp {
  async function call(access: BatchAccess, path: string, { method, body }: CallOptions): Promise<Response> {
    if (access.baseUrl !== undefined) throw new ProviderFault('broken', 'it has no batch service at another base URL');
    const apiKey = access.apiKey ?? own.apiKey ?? '';
    const isForm = body instanceof FormData;
    try {
      const response = await own.fetch(`${own.baseUrl ?? baseUrl}${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { ...headers(apiKey), ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      });
      if (response.ok) return response;
      const failed = {
        statusCode: response.status,
        responseHeaders: Object.fromEntries(response.headers),
        responseBody: await response.text(),
      };
      throw faultOfCall(failed, [apiKey], Date.now());
    } catch (reason) {
      throw toFault(reason);
    }
  }

  return {
    async json(access, path, options = {}) {
      const response = await call(access, path, options);
      try {
        return (await response.json()) as Record<string, unknown>;
      } catch (reason) {
        throw toFault(reason);
      }
    },
    async *lines(access, path) {
      const response = await call(access, path, {});
      try {
        for await (const line of splitLines(response.body)) yield JSON.parse(line) as Record<string, unknown>;
      } catch (reason) {
        throw toFault(reason);
      }
    },
  };
}

/** Without a status it is not known whether the service has taken a batch. */
const toFault = (reason: unknown): ProviderFault =>
  reason instanceof ProviderFault
    ? reason
    : new ProviderFault('unavailable', faultOfNetwork(reason)?.message ?? 'its answer could not be read');

async function* splitLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    rest.push(first);
    for (const next of more) {
      const line = rest.join('');
      if (line.trim() !== '') yield line;
      rest = [next];
    }
  }
  const last = rest.join('') + decoder.decode();
  if (last.trim() !== '') yield last;
}

const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** A member of an answer that is an object; an empty one without it. */
export function objectIn(value: unknown, name: string): Record<string, unknown> {
  const member = memberOf(value, name);
  return isRecord(member) ? member : {};
}

export function listIn(value: unknown, name: string): unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}

export function textIn(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : '';
}

/** The clocks of a provider and of PostgreSQL differ by less. */
const clockMarginMs = 3_600_000;

/** True for a batch that a provider made, by its clock, before another one was recorded here. */
export const isOlder = (createdMs: number, recordedAt: Date): boolean =>
  createdMs < recordedAt.getTime() - clockMarginMs;

/** The message of an error in a result. */
export const errorIn = (value: unknown): string => textIn(value, 'message') || textIn(value, 'type') || 'it failed';

/** The name in the answer to a batch that was sent. */
export function nameIn(value: unknown, member: string): string {
  const name = textIn(value, member);
  if (name === '') throw new ProviderFault('unavailable', 'its answer has no name of the batch');
  return name;
}
