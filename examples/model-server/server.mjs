// A model server of your own with the chat completions API: a stand-in that answers with the last line of the prompt.
//   node examples/model-server/server.mjs
//   npm start -- --with openai-compatible      with the address http://127.0.0.1:8092/v1 and no key
// Ollama, vLLM and llama.cpp serve the same two routes.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const { PORT: port = '8092' } = process.env;
const model = 'last-line';

const frame = (value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const joinText = (content) => (typeof content === 'string' ? content : content.map(({ text = '' }) => text).join(''));

async function complete(request, response) {
  const { messages } = await json(request);
  const prompt = joinText(messages.at(-1)?.content ?? '');
  const words = prompt
    .trim()
    .split('\n')
    .at(-1)
    .split(/(?<=\s)/);
  const base = { id: 'chat-1', object: 'chat.completion.chunk', created: 1, model };
  const chunk = (delta, finish) => frame({ ...base, choices: [{ index: 0, delta, finish_reason: finish ?? null }] });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const content of words) response.write(chunk({ content }));
  response.write(chunk({}, 'stop'));
  const usage = { prompt_tokens: prompt.split(/\s+/).length, completion_tokens: words.length };
  response.write(
    frame({ ...base, choices: [], usage: { ...usage, total_tokens: usage.prompt_tokens + words.length } }),
  );
  response.end(frame('[DONE]'));
}

const server = createServer((request, response) => {
  if (request.url === '/v1/models') {
    const data = [{ id: model, object: 'model', created: 1, owned_by: 'you' }];
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ object: 'list', data }));
  }
  if (request.url !== '/v1/chat/completions') return response.writeHead(404).end();
  return complete(request, response).catch((error) => response.writeHead(400).end(error.message));
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
