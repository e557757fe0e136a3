import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Tool } from '@lensforge/tools';
import { McpService } from './mcp-service.js';

let service: McpService;
let bearer: string;
let startedCalls = 0;
let release: () => void;
const gate = new Promise<void>((resolve) => (release = resolve));

const slow: Tool = {
  name: 'slow',
  class: 'Read',
  rate: 'read',
  scope: 'lenses:read',
  errors: [],
  listed: { name: 'slow', inputSchema: { type: 'object' } },
  call: async () => {
    startedCalls += 1;
    await gate;
    return { content: [] };
  },
};

beforeAll(async () => {
  service = await McpService.start([slow]);
  ({ bearer } = await service.aCaller());
});
afterAll(() => service.stop());

it('the server does not start the remaining calls of a batch after its client has disconnected', async () => {
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'slow' } });
  const controller = new AbortController();
  const answer = fetch(service.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    body: JSON.stringify([call(1), call(2), call(3)]),
    signal: controller.signal,
  });
  await until(() => startedCalls === 1);
  controller.abort();
  await expect(answer).rejects.toThrow();
  // The request metric shows that the server has noticed the disconnect.
  const disconnected = /^lensforge_http_request_duration_seconds_count\{.*route="\/mcp".*\} 1$/m;
  await until(async () => disconnected.test(await service.metrics));
  release();
  const abandoned = /^lensforge_tool_calls_total\{tool="slow",class="Read",outcome="abandoned"\S*\} 1$/m;
  await until(async () => abandoned.test(await service.metrics));
  expect(startedCalls).toBe(1);
});
