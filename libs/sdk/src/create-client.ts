import { Call, type CallOptions, type WithResponse } from './call.js';
import { EventStream, type StreamOptions } from './event-stream.js';
import { ConnectionError } from './errors.js';
import { operations } from './generated/operations.js';
import type { ExperimentsMethods, Resources, RunsMethods } from './generated/resources.js';
import { LineStream } from './line-stream.js';
import { ListCall, Page, type PageMeta } from './pages.js';
import { type ClientOptions, type OutgoingRequest, Transport } from './transport.js';
import { type WaitForExperiment, type WaitForRun, waitForExperiment, waitForRun } from './wait.js';
import { type Webhooks, webhooks } from './webhooks.js';
import { type RunWithTools, runWithTools } from './with-tools.js';

/** The client of a platform: one member for each resource, with a method for each endpoint. */
export interface Client extends Omit<Resources, 'experiments' | 'runs'> {
  readonly experiments: ExperimentsMethods & { readonly wait: WaitForExperiment };
  readonly runs: RunsMethods & { readonly wait: WaitForRun; readonly withTools: RunWithTools };
  readonly webhooks: Webhooks;
  /** Sends any request; the result is the `data` of its envelope, other JSON as it is, or the text of another type. */
  request(method: string, path: string, body?: unknown, options?: CallOptions): Call<unknown>;
}

type Members = Readonly<Record<string, unknown>>;

interface Operation {
  flags: string;
  method: string;
  path: string;
}

const read = (text: string): Operation => {
  const [flags = '', method = '', path = ''] = text.split(' ');
  return { flags, method, path };
};

/** A random key, in the form of a UUID. Unlike randomUUID, it also works in pages without https. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body with an idempotency key, which a caller may have chosen. */
function withKey(flags: string, body: unknown, idempotencyKey = newKey()): unknown {
  if (flags.includes('b') && isMembers(body) && Array.isArray(body['items'])) {
    const items = body['items'].map((item: unknown, at) =>
      isMembers(item) ? { idempotencyKey: `${idempotencyKey}-${at}`, ...item } : item,
    );
    return { ...body, items };
  }
  return flags.includes('k') ? { idempotencyKey, ...(isMembers(body) ? body : {}) } : body;
}

/** The query of a request; lists are repeated parameters. */
function toQuery(query: unknown): string {
  if (!isMembers(query)) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (each !== undefined && each !== null)
        parameters.append(name, typeof each === 'string' ? each : JSON.stringify(each));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function buildRequest({ flags, method, path }: Operation, input: unknown, options: CallOptions): OutgoingRequest {
  const safe = method === 'GET';
  const inQuery = safe || method === 'DELETE';
  const isRepeatable = safe || /[kbhr]/.test(flags);
  return {
    method,
    path: path + (inQuery ? toQuery(input) : ''),
    ...(!inQuery && flags.includes('i') && { body: withKey(flags, input ?? {}, options.idempotencyKey) }),
    ...(flags.includes('h') && { headers: { 'idempotency-key': options.idempotencyKey ?? newKey() } }),
    repeatable: isRepeatable,
    options,
  };
}

const getRequestId = ({ headers }: Response): string | undefined => headers.get('x-request-id') ?? undefined;

interface Envelope {
  data: unknown;
  meta: PageMeta;
}

async function answerTo(transport: Transport, request: OutgoingRequest): Promise<WithResponse<unknown>> {
  const { response, text } = await transport.send(request);
  const requestId = getRequestId(response);
  if (text === '') return { data: undefined, response, requestId };
  try {
    return { data: JSON.parse(text), response, requestId };
  } catch (error) {
    throw new ConnectionError('The answer is not JSON: check that baseUrl is the address of the REST API', {
      cause: error,
      requestId,
    });
  }
}

async function enveloped(transport: Transport, request: OutgoingRequest): Promise<WithResponse<unknown>> {
  const { data, ...rest } = await answerTo(transport, request);
  return { data: (data as Envelope | undefined)?.data, ...rest };
}

const isJson = ({ headers }: Response): boolean =>
  /^application\/(?:[\w.-]+\+)?json\b/.test(headers.get('content-type') ?? '');

/** The answer to a request of any kind. */
async function anyAnswer(transport: Transport, request: OutgoingRequest): Promise<WithResponse<unknown>> {
  const { response, text } = await transport.send(request);
  const requestId = getRequestId(response);
  if (text === '') return { data: undefined, response, requestId };
  if (!isJson(response)) return { data: text, response, requestId };
  const data = JSON.parse(text) as unknown;
  return { data: isMembers(data) && 'data' in data && 'meta' in data ? data['data'] : data, response, requestId };
}

async function file(transport: Transport, request: OutgoingRequest): Promise<WithResponse<Response>> {
  const { response } = await transport.send({ ...request, streams: true });
  return { data: response, response, requestId: getRequestId(response) };
}

function list(transport: Transport, operation: Operation, query: unknown, options: CallOptions): ListCall<unknown> {
  const readPage = async (): Promise<WithResponse<Page<unknown>>> => {
    const { data, ...rest } = await answerTo(transport, buildRequest(operation, query, options));
    const { data: items, meta } = data as Envelope;
    const { offset: _, ...filters } = (query ?? {}) as Members;
    const next = (cursor: string): ListCall<unknown> => list(transport, operation, { ...filters, cursor }, options);
    return { data: new Page(items as unknown[], meta, next), ...rest };
  };
  return new ListCall(readPage());
}

function call(
  transport: Transport,
  operation: Operation,
  input: unknown,
  options: CallOptions & StreamOptions,
): unknown {
  const { flags } = operation;
  if (flags.startsWith('l')) return list(transport, operation, input, options);
  const request = buildRequest(operation, input, options);
  if (flags.startsWith('s')) return new EventStream(transport, request, options);
  if (flags.startsWith('n')) return new LineStream(transport, request);
  if (flags.startsWith('f')) return new Call(file(transport, request));
  return new Call((flags.startsWith('p') ? answerTo : enveloped)(transport, request));
}

/** A method: the ids of the path, then the body or query if there is one, then options. */
function createMethod(transport: Transport, name: string, text: string): (...args: unknown[]) => unknown {
  const operation = read(text);
  return (...args) => {
    const given = [...args];
    const path = operation.path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
      const id = given.shift();
      if (typeof id !== 'string' || id === '')
        throw new TypeError(`${name} needs ${parameter}, a text that is not empty`);
      return encodeURIComponent(id);
    });
    const input = operation.flags.includes('i') ? given.shift() : undefined;
    return call(transport, { ...operation, path }, input, given.shift() ?? {});
  };
}

/** Creates a client. No request is sent before the first call. */
export function createClient(options: ClientOptions = {}): Client {
  const transport = new Transport(options);
  const resources = Object.fromEntries(
    Object.entries(operations).map(([resource, methods]) => {
      const entries = Object.entries(methods).map(([name, text]) => [
        name,
        createMethod(transport, `${resource}.${name}`, text),
      ]);
      return [resource, Object.fromEntries(entries)];
    }),
  ) as unknown as Resources;
  const request: Client['request'] = (method, path, body, more = {}) => {
    const sent = { method, path, body, repeatable: method === 'GET', options: more };
    return new Call(anyAnswer(transport, sent));
  };
  const runs = {
    ...resources.runs,
    wait: waitForRun(resources.runs),
    withTools: runWithTools(resources.runs),
  };
  const experiments = { ...resources.experiments, wait: waitForExperiment(resources.experiments) };
  return { ...resources, experiments, runs, webhooks, request };
}
