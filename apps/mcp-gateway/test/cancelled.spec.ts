import { until } from '@lensforge/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Tool } from '../src/tool.js';
import { McpService } from './mcp-service.js';

let service: McpService;
let bearer: string;
let begun = 0;
let release: () => void;
const released = new Promise<void>((resolve) => (release = resolve));

const slow: Tool = {
  name: 'slow',
  class: 'Read',
  rate: 'read',
  scope: 'lenses:read',
  errors: [],
  listed: { name: 'slow', inputSchema: { type: 'object' } },
  call: async () => {
    begun += 1;
    await released;
    return { content: [] };
  },
};

beforeAll(async () => {
  service = await McpService.start([slow]);
  ({ bearer } = await service.aCaller());
});
afterAll(() => service.stop());

it('what is left of a batch is not begun when its client has gone', async () => {
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'slow' } });
  const controller = new AbortController();
  const answer = fetch(service.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    body: JSON.stringify([call(1), call(2), call(3)]),
    signal: controller.signal,
  });
  await until(() => begun === 1);
  controller.abort();
  await expect(answer).rejects.toThrow();
  // The server hears of it a moment later, which its own line of the request tells.
  const left = /^lensforge_http_request_duration_seconds_count\{.*route="\/mcp".*\} 1$/m;
  await until(async () => left.test(await service.metrics));
  release();
  const abandoned = /^lensforge_tool_calls_total\{tool="slow",class="Read",outcome="abandoned"\S*\} 1$/m;
  await until(async () => abandoned.test(await service.metrics));
  expect(begun).toBe(1);
});
