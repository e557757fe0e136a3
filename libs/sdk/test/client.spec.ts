import { afterEach, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from '../src/index.js';
import { type Answer, type ScriptedServer, aScriptedServer, data, frames, refusal } from './scripted-server.js';

let server: ScriptedServer;
afterEach(() => server.stop());

async function aClient(...answers: Answer[]): Promise<Client> {
  server = await aScriptedServer(...answers);
  return createClient({ baseUrl: server.url, apiKey: 'token-1' });
}

describe('a call without an answer', () => {
  it('ends with the reason of its signal, also between attempts', async () => {
    const client = await aClient(refusal(503, 'service_unavailable', { headers: { 'retry-after': '30' } }));
    const controller = new AbortController();
    const call = client.lenses.get('x', { signal: controller.signal });
    const ended = expect(call).rejects.toThrow('no longer needed');
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error('no longer needed'));
    await ended;
    await expect(client.lenses.get('x', { signal: controller.signal })).rejects.toThrow('no longer needed');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a list', () => {
  const pages = [
    data([{ id: 'a' }, { id: 'b' }], { hasNextPage: true, nextCursor: 'c1', total: 3 }),
    data([{ id: 'c' }], { hasNextPage: false }),
  ];

  it('requests no page after a loop has ended', async () => {
    const client = await aClient(...pages);
    for await (const _ of client.runs.list()) break;
    expect(server.requests).toHaveLength(1);
  });
});

describe('events of a run', () => {
  it('end with the reason of the signal', async () => {
    const client = await aClient(frames([1]));
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      for await (const _ of client.runs.events('r', {}, { signal: controller.signal }))
        controller.abort(new Error('enough'));
    };
    await expect(read()).rejects.toThrow('enough');
  });
});
