import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface AnsweringProvider {
  /** The base URL, which ends in /v1. */
  url: string;
  /** The Authorization headers of its calls. */
  authorizations: readonly (string | undefined)[];
  close(): void;
}

const frames = (answer: string): string => {
  const response = { id: 'resp_1', object: 'response', created_at: 1_763_700_000, model: 'x', status: 'completed' };
  const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 };
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item: message },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: answer },
    { type: 'response.output_item.done', output_index: 0, item: message },
    { type: 'response.completed', response: { ...response, usage } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
};

/** A server with the Responses API, which answers every prompt with the same text. */
export async function openAnsweringProvider(answer: string): Promise<AnsweringProvider> {
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    void text(request).then(() => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    authorizations,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
