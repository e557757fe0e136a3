import { createServer } from 'node:http';
import { callTool } from './lens-tools.js';

// The minimal program that serves tools/call over HTTP.
process.on('disconnect', () => process.exit());

interface Message {
  id: number;
  params: { name: string; arguments: Record<string, unknown> };
}

createServer((request, response) => {
  if (request.url === '/ready') {
    response.end('{}');
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString()) as Message;
    void callTool(params.name, params.arguments).then((result) => {
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
