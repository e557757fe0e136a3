import { readFileSync } from 'node:fs';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
}

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const file = join(import.meta.dirname, '../../../docs/openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
export const sampleId = '01a1fc3e-7c0d-7d6e-a1c3-0123456789ab';

const resolved = (schema: Schema): Schema =>
  schema.$ref ? resolved(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;

/** A value that fits the schema. */
function sampleOf(given: Schema, name = ''): unknown {
  const schema = resolved(given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    const members = Object.entries(schema.properties ?? {});
    return Object.fromEntries(members.map(([key, member]) => [key, sampleOf(member, key)]));
  }
  if (type === 'array') return schema.items ? [sampleOf(schema.items, name)] : [];
  if (type === 'integer' || type === 'number') return 3;
  if (type === 'boolean') return true;
  if (schema.format === 'uuid') return sampleId;
  if (schema.format === 'date-time') return '2026-11-23T08:30:00.000Z';
  return type === 'string' ? `a ${name}` : null;
}

/** Members that a sample must have for the command to succeed. */
const overrides: Readonly<Record<string, object>> = {
  getExperiment: { status: 'completed', outcome: { result: 'passed', rules: [] } },
  getRun: {
    status: 'succeeded',
    errorCode: null,
    artifacts: [{ artifactKind: 'text', contentText: 'Hello, Ada', isPrimaryOutput: true }],
  },
  testByokKey: { test: { status: 'passed', message: null, testedAt: null } },
  authorizeMcpServer: {
    authorization: { status: 'waiting', message: null, authorizationUrl: 'https://auth.example/authorize?state=s-1' },
  },
  finishMcpAuthorization: { authorization: { status: 'authorized', message: null, authorizationUrl: null } },
  getMcpServer: {
    authorization: { status: 'waiting', message: null, authorizationUrl: 'https://auth.example/authorize?state=s-1' },
    authorizationServer: {
      issuer: 'https://auth.example',
      tokenUrl: 'https://auth.example/token',
      changedTo: { issuer: 'https://new.example', tokenUrl: 'https://new.example/token' },
    },
  },
  getWorkflow: {
    headVersion: {
      number: 3,
      graph: { nodes: [{ id: 'draft', type: 'lens' }], edges: [{ from: 'draft', to: 'end', when: 'true' }] },
    },
  },
};

const frames = [
  ['run.queued', {}],
  ['node.output.delta', { nodeId: 'lens', text: 'Hello, ' }],
  ['node.output.delta', { nodeId: 'lens', text: 'Ada' }],
  ['log', { level: 'info', message: 'line\u001b[2J one' }],
  ['done', { status: 'succeeded' }],
] as const;

function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [at, [eventType, payload]] of frames.entries()) {
    const data = { eventType, payload, occurredAt: '2026-11-23T08:30:00.000Z', sequence: at + 1 };
    response.write(`id: ${at + 1}\nevent: ${eventType}\ndata: ${JSON.stringify(data)}\n\n`);
  }
  response.end();
}

function replyTo(operation: Operation, response: ServerResponse): void {
  const [status = '200'] = Object.keys(operation.responses);
  const [first] = Object.entries(operation.responses[status]?.content ?? {});
  const [type, content] = first ?? [];
  if (type === 'text/event-stream') {
    stream(response);
    return;
  }
  response.writeHead(Number(status), { 'content-type': 'application/json', 'x-request-id': 'req-1' });
  const sample = sampleOf(content?.schema ?? {}) as { data?: object; meta?: object } | null;
  if (sample?.data === undefined) {
    response.end(JSON.stringify(sample));
    return;
  }
  const override = overrides[operation.operationId];
  const data = override ? { ...sample.data, ...override } : sample.data;
  response.end(JSON.stringify({ data, meta: { requestId: 'req-1' }, error: null }));
}

const operationOf = (method: string, path: string): Operation | undefined => {
  const found = Object.entries(document.paths).find(([each, methods]) => {
    const pattern = new RegExp(`^${each.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`);
    return methods[method.toLowerCase()] !== undefined && pattern.test(path);
  });
  return found?.[1][method.toLowerCase()];
};

export interface StubRequest {
  operationId: string;
  query: string;
  authorization: string | undefined;
  body: unknown;
}

export interface PlatformStub {
  url: string;
  requests: StubRequest[];
  /** Refuses the next requests with this error, or answers none of them. */
  behave: (behaviour: { status: number; code: string; details?: object } | 'silent' | undefined) => void;
  close: () => Promise<void>;
}

/** A server that answers every operation of docs/openapi.json with data that fits its schema. */
export async function aPlatformStub(): Promise<PlatformStub> {
  const requests: StubRequest[] = [];
  let behaviour: Parameters<PlatformStub['behave']>[0];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const [path = '', query = ''] = (request.url ?? '').split('?');
      const operation = operationOf(request.method ?? '', path);
      requests.push({
        operationId: operation?.operationId ?? `${request.method} ${path}`,
        query,
        authorization: request.headers.authorization,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      });
      if (behaviour === 'silent') return;
      if (path === '/.well-known/oauth-authorization-server/id') {
        response.end('{}');
      } else if (path === '/mcp' && !behaviour) {
        response.end(JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(text) as { id?: unknown }).id, result: {} }));
      } else if (path.startsWith('/api/public/v2/prompts/') && !behaviour) {
        response.end('{"name":"T","version":1,"prompt":"Answer {{question}}","config":{}}');
      } else if (behaviour || !operation) {
        const { status, code, details } = behaviour ?? { status: 404, code: 'not_found' };
        response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '90' });
        response.end(
          JSON.stringify({ error: { code, message: `refused: ${code}`, details }, meta: { requestId: 'req-2' } }),
        );
      } else {
        replyTo(operation, response);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave: (next) => (behaviour = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
