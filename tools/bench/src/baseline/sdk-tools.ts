import { type ServerResponse, createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { callTool, toolNames } from './lens-tools.js';

// The same tools with the official SDK's server, without sessions and with JSON responses: its fastest mode.
process.on('disconnect', () => process.exit());

function aServer(): McpServer {
  const whole = new McpServer({ name: 'baseline', version: '1.0.0' }, { capabilities: { tools: {} } });
  const { server } = whole;
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolNames.map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => callTool(params.name, params.arguments ?? {}));
  return whole;
}

createServer((request, response) => {
  if (request.url === '/ready') {
    response.end('{}');
    return;
  }
  atOnce(response);
  const server = aServer();
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  // The transport declares optional members differently from the interface that it implements.
  void server.connect(transport as never).then(() => transport.handleRequest(request, response));
}).listen(Number(process.env['PORT']), '127.0.0.1');

/** The load generator reads only bodies of known length. */
function atOnce(response: ServerResponse): void {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  const writeHead = response.writeHead.bind(response);
  const end = response.end.bind(response) as (body: Buffer) => ServerResponse;
  let status = 200;
  const stand: Partial<Record<'writeHead' | 'write' | 'end', (given: unknown) => unknown>> = {
    writeHead: (given) => {
      status = given as number;
      return response;
    },
    write: (chunk) => {
      keep(chunk);
      return true;
    },
    end: (chunk) => {
      keep(chunk);
      const body = Buffer.concat(chunks);
      response.writeHead = writeHead;
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
      return end(body);
    },
  };
  Object.assign(response, stand);
}
