import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The answer of the service to a request: its text, or why it has none. */
export type BatchVerdict = { text: string } | 'errored' | 'expired';

/** The trouble of the next batch that is sent. */
export type SubmitTrouble = 'lost answer' | 'never arrived' | 'busy' | 'refused';

export interface ServedBatch {
  name: string;
  /** The id of the platform, where the protocol has one. */
  label: string;
  requests: { customId: string; body: unknown }[];
  state: 'working' | 'canceling' | 'ended';
  /** The requests that were done when it was canceled; all when it was not. */
  done: number;
  createdAt: Date;
}

export interface BatchServer {
  baseUrl: string;
  batches: ServedBatch[];
  /** The prompts that were sent on their own. */
  live: string[];
  /** The headers of the keys that it was called with. */
  keys: Set<string>;
  verdict: (text: string) => BatchVerdict;
  troubles: SubmitTrouble[];
  /** Ends all batches. */
  finish(): void;
  close(): Promise<void>;
}

export type BatchProvider = 'openai' | 'anthropic' | 'google';

/** The tokens of each answer of a batch. */
export const batchUsage = { input: 10, output: 4 };

interface Route {
  batch: ServedBatch[];
  server: BatchServer;
  files: Map<string, string>;
  body: unknown;
  query: URLSearchParams;
}

type Answer = { status?: number; json?: unknown; lines?: unknown[] };

type Member = Record<string, never>;
const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Member | undefined)?.[name as string], value);

/** All texts within a value, which is where its prompt is. */
const textIn = (value: unknown): string => JSON.stringify(value);

const outcomes = ({ server }: Route, { requests, done }: ServedBatch) =>
  requests.map(({ customId, body }, index) => ({
    customId,
    verdict: index < done ? server.verdict(textIn(body)) : ('expired' as const),
  }));

const page = (
  query: URLSearchParams,
  batches: ServedBatch[],
  after: string,
): { found: ServedBatch[]; more: boolean } => {
  const newest = batches.toReversed();
  const start = newest.findIndex(({ name }) => name === query.get(after)) + 1;
  const found = newest.slice(start, start + 2);
  return { found, more: start + 2 < newest.length };
};

const openaiAnswer = (text: string): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_763_700_000,
  model: 'm',
  status: 'completed',
  error: null,
  incomplete_details: null,
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ],
  usage: {
    input_tokens: batchUsage.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: batchUsage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: batchUsage.input + batchUsage.output,
  },
});

const anthropicAnswer = (text: string): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: batchUsage.input, output_tokens: batchUsage.output },
});

const googleAnswer = (text: string): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: {
    promptTokenCount: batchUsage.input,
    candidatesTokenCount: batchUsage.output,
    totalTokenCount: batchUsage.input + batchUsage.output,
  },
});

const toOpenai = ({ name, label, state, createdAt }: ServedBatch): object => ({
  id: name,
  object: 'batch',
  status: { working: 'in_progress', canceling: 'cancelling', ended: 'completed' }[state],
  created_at: Math.floor(createdAt.getTime() / 1000),
  metadata: { lensforgeBatch: label },
  ...(state === 'ended' && { output_file_id: `${name}-out`, error_file_id: `${name}-err` }),
});

const toAnthropic = ({ name, state, createdAt, requests }: ServedBatch): object => ({
  id: name,
  type: 'message_batch',
  processing_status: { working: 'in_progress', canceling: 'canceling', ended: 'ended' }[state],
  created_at: createdAt.toISOString(),
  request_counts: { processing: requests.length, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
});

const toGoogle = (route: Route, batch: ServedBatch): object => ({
  name: batch.name,
  metadata: {
    displayName: batch.label,
    state: batch.state === 'ended' ? 'BATCH_STATE_SUCCEEDED' : 'BATCH_STATE_RUNNING',
  },
  ...(batch.state === 'ended' && {
    done: true,
    response: {
      inlinedResponses: {
        inlinedResponses: outcomes(route, batch).map(({ customId, verdict }) => ({
          metadata: { key: customId },
          ...(typeof verdict === 'object'
            ? { response: googleAnswer(verdict.text) }
            : { error: { code: 3, message: `the request is ${verdict}` } }),
        })),
      },
    },
  }),
});

const named = ({ batch }: Route, path: string): ServedBatch => {
  const found = batch.find(({ name }) => path.includes(name));
  if (!found) throw new Error(`there is no batch at ${path}`);
  return found;
};

const stop = (batch: ServedBatch): void => {
  if (batch.state !== 'working') return;
  batch.state = 'canceling';
  batch.done = Math.floor(batch.requests.length / 2);
};

/** The services as their documentation describes them. Undefined for a path that no batch service has. */
const services: Record<BatchProvider, (method: string, path: string, route: Route) => Answer | 'submit' | undefined> = {
  openai: (method, path, route) => {
    if (path === '/v1/files') {
      const name = `file-${route.files.size}`;
      route.files.set(name, String(route.body));
      return { json: { id: name, object: 'file', purpose: 'batch' } };
    }
    if (path === '/v1/batches' && method === 'POST') return 'submit';
    if (path === '/v1/batches') {
      const { found, more } = page(route.query, route.batch, 'after');
      return { json: { object: 'list', data: found.map(toOpenai), has_more: more } };
    }
    const file = /^\/v1\/files\/(.*)-(out|err)\/content$/.exec(path);
    if (file) {
      const isOutput = file[2] === 'out';
      const lines = outcomes(route, named(route, path)).flatMap(({ customId: custom_id, verdict }): object[] => {
        if (typeof verdict === 'object') {
          return isOutput
            ? [{ custom_id, response: { status_code: 200, body: openaiAnswer(verdict.text) }, error: null }]
            : [];
        }
        if (isOutput) return [];
        return verdict === 'errored'
          ? [
              {
                custom_id,
                response: { status_code: 400, body: { error: { message: 'the request is errored' } } },
                error: null,
              },
            ]
          : [{ custom_id, response: null, error: { code: 'batch_expired', message: 'the request is expired' } }];
      });
      return { lines };
    }
    if (!path.startsWith('/v1/batches/')) return undefined;
    const batch = named(route, path);
    if (path.endsWith('/cancel')) stop(batch);
    return { json: toOpenai(batch) };
  },
  anthropic: (method, path, route) => {
    if (path === '/v1/messages/batches' && method === 'POST') return 'submit';
    if (path === '/v1/messages/batches') {
      const { found, more } = page(route.query, route.batch, 'after_id');
      return { json: { data: found.map(toAnthropic), has_more: more } };
    }
    if (!path.startsWith('/v1/messages/batches/')) return undefined;
    const batch = named(route, path);
    if (path.endsWith('/results')) {
      if (batch.state !== 'ended') return { status: 404, json: { type: 'error', error: { type: 'not_found_error' } } };
      const lines = outcomes(route, batch).map(({ customId: custom_id, verdict }) => {
        if (typeof verdict === 'object') {
          return { custom_id, result: { type: 'succeeded', message: anthropicAnswer(verdict.text) } };
        }
        const error = { type: 'error', error: { type: 'invalid_request', message: 'the request is errored' } };
        return { custom_id, result: { type: verdict, ...(verdict === 'errored' && { error }) } };
      });
      return { lines };
    }
    if (path.endsWith('/cancel')) stop(batch);
    return { json: toAnthropic(batch) };
  },
  google: (_, path, route) => {
    if (path.endsWith(':batchGenerateContent')) return 'submit';
    if (path === '/v1beta/batches') {
      const { found, more } = page(route.query, route.batch, 'pageToken');
      return {
        json: {
          operations: found.map((each) => toGoogle(route, each)),
          ...(more && { nextPageToken: found.at(-1)?.name }),
        },
      };
    }
    if (!path.startsWith('/v1beta/batches/')) return undefined;
    const batch = named(route, path);
    if (path.endsWith(':cancel')) stop(batch);
    return { json: toGoogle(route, batch) };
  },
};

/** The requests of a batch that was sent, and its label. */
const readers: Record<BatchProvider, (route: Route) => Pick<ServedBatch, 'requests' | 'label'>> = {
  openai: ({ body, files }) => {
    const file = files.get(String(at(body, 'input_file_id'))) ?? '';
    const lines = file.split(/\r?\n/).filter((line) => line.startsWith('{'));
    return {
      label: String(at(body, 'metadata', 'lensforgeBatch')),
      requests: lines.map((line) => {
        const { custom_id: customId, body: asked } = JSON.parse(line) as { custom_id: string; body: unknown };
        return { customId, body: asked };
      }),
    };
  },
  anthropic: ({ body }) => ({
    label: '',
    requests: (at(body, 'requests') as { custom_id: string; params: unknown }[]).map(({ custom_id, params }) => ({
      customId: custom_id,
      body: params,
    })),
  }),
  google: ({ body }) => ({
    label: String(at(body, 'batch', 'display_name')),
    requests: (
      at(body, 'batch', 'input_config', 'requests', 'requests') as { request: unknown; metadata: { key: string } }[]
    ).map(({ request, metadata }) => ({ customId: metadata.key, body: request })),
  }),
};

const views: Record<BatchProvider, (route: Route, batch: ServedBatch) => object> = {
  openai: (_, batch) => toOpenai(batch),
  anthropic: (_, batch) => toAnthropic(batch),
  google: toGoogle,
};

export interface BatchServerOptions {
  /** The base path of the API. */
  base: string;
  /** The frames of the answer to a request that is sent on its own. */
  frames: readonly string[];
}

/** A server with the batch service of a provider, and with its service for single requests. */
export async function aBatchServer(
  provider: BatchProvider,
  { base, frames }: BatchServerOptions,
): Promise<BatchServer> {
  const files = new Map<string, string>();

  function submit(route: Route, response: ServerResponse): Answer | undefined {
    const trouble = server.troubles.shift();
    if (trouble === 'busy') return { status: 429, json: { error: { message: 'slow down', type: 'rate_limit_error' } } };
    if (trouble === 'refused')
      return { status: 400, json: { error: { message: 'no', type: 'invalid_request_error' } } };
    if (trouble === 'never arrived') return void response.destroy();
    const name = `${provider === 'google' ? 'batches/' : ''}b${server.batches.length}x`;
    const sent = readers[provider](route);
    const batch: ServedBatch = { ...sent, name, state: 'working', done: sent.requests.length, createdAt: new Date() };
    server.batches.push(batch);
    if (trouble === 'lost answer') return void response.destroy();
    return { json: views[provider](route, batch) };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization, 'x-api-key': apiKey, 'x-goog-api-key': googleKey } = request.headers;
    server.keys.add(String(authorization ?? apiKey ?? googleKey));
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://server');
    const sent = (await buffer(request)).toString();
    const isJson = request.headers['content-type'] === 'application/json';
    const route: Route = { server, files, batch: server.batches, body: isJson ? JSON.parse(sent) : sent, query };
    const found = services[provider](request.method ?? '', pathname, route);
    const answer = found === 'submit' ? submit(route, response) : found;
    if (response.destroyed) return;
    if (answer) {
      const { status = 200, json, lines } = answer;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(lines ? lines.map((line) => JSON.stringify(line)).join('\n') : JSON.stringify(json));
      return;
    }
    server.live.push(sent);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(frames.join(''));
  }

  const http = createServer((request, response) => {
    serve(request, response).catch((reason: unknown) => {
      response.writeHead(500);
      response.end(String(reason));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: BatchServer = {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}${base}`,
    batches: [],
    live: [],
    keys: new Set(),
    verdict: () => ({ text: 'from a batch' }),
    troubles: [],
    finish: () => {
      for (const batch of server.batches) batch.state = 'ended';
    },
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
  return server;
}
