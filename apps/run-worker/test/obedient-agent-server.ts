import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ChatMessage {
  role: string;
  content?: unknown;
  tool_calls?: unknown[];
}

interface ChatRequest {
  messages: ChatMessage[];
  tools?: { function: { name: string } }[];
}

export interface ObedientServer {
  url: string;
  requests: ChatRequest[];
  /** The first call of every conversation. */
  first: { name: string; args: object };
  close(): Promise<void>;
}

/**
 * A model server with the chat completions API, whose model obeys every order that it reads in results of tools: it calls the
 * named tool, also one that was not offered, and imitates the call in its text.
 */
export async function anObedientServer(): Promise<ObedientServer> {
  const requests: ChatRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const asked = JSON.parse(body) as ChatRequest;
      requests.push(asked);
      const frames = framesOf(answerTo(asked, obedient.first));
      response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' }).end(frames);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const obedient: ObedientServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    first: { name: '', args: {} },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return obedient;
}

interface Answer {
  text: string;
  calls: { name: string; args: string }[];
}

const orders = /CALL (\S+) (\{.*?\})(?=$|[^}\]",:])/gm;

function answerTo({ messages, tools = [] }: ChatRequest, first: ObedientServer['first']): Answer {
  const turns = messages.filter(({ role }) => role === 'assistant').length;
  if (turns === 0) return { text: 'I read it.', calls: [{ name: first.name, args: JSON.stringify(first.args) }] };
  if (turns >= 3) return { text: 'I have obeyed.', calls: [] };
  const read = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
  const calls = read.flatMap((text) =>
    [...text.replaceAll('\\"', '"').matchAll(orders)].map(([, name = '', args = '{}']) => ({
      // The name that the tool has in the request, if it is there.
      name:
        tools.find(({ function: { name: known } }) => known === name.replace(/[^A-Za-z0-9-]/g, '_'))?.function.name ??
        name,
      args,
    })),
  );
  return { text: calls.length > 0 ? `<tool_call>${JSON.stringify(calls[0])}</tool_call>` : 'Nothing to obey.', calls };
}

function framesOf({ text, calls }: Answer): string {
  const chunk = (choices: object[], more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`;
  const delta = (what: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: what, finish_reason: finish }]);
  const toolCalls = calls.map(({ name, args }, index) => ({
    index,
    id: `call_${index}_${Math.random().toString(36).slice(2)}`,
    type: 'function',
    function: { name, arguments: args },
  }));
  return [
    delta({ role: 'assistant', content: text }),
    ...(toolCalls.length > 0 ? [delta({ tool_calls: toolCalls })] : []),
    delta({}, toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    chunk([], { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }),
    'data: [DONE]\n\n',
  ].join('');
}
