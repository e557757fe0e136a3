import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { items } from './callers.js';
import { type Gateway, aGateway } from './gateway.js';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await aGateway();
});
afterAll(() => gateway.stop());

const call = (method: string, path: string, body?: object) =>
  gateway.call(method, `/v1/recordings${path}`, { ...(body && { body }) });
const line = {
  kind: 'http',
  place: 'n',
  repetition: 1,
  request: { url: 'https://example.com/' },
  response: { status: 200 },
};
const content = `{"recording":"lensforge","version":1}\n${JSON.stringify(line)}\n`;

describe('recordings', () => {
  it('are stored from a file, listed, returned as the same file and deleted', async () => {
    const made = await call('POST', '', { name: 'Replies', content });
    expect([made.status, made.body.data]).toEqual([201, expect.objectContaining({ name: 'Replies', calls: 1 })]);
    const path = `/${String(made.body.data?.['id'])}`;
    expect(items(await call('GET', '?limit=1'))).toMatchObject([{ name: 'Replies', calls: 1 }]);
    expect((await call('GET', path)).body.data).toMatchObject({ name: 'Replies', calls: 1 });
    const file = await fetch(`${gateway.url}/v1/recordings${path}/export`, {
      headers: { authorization: `Bearer ${gateway.token}` },
    });
    expect([file.headers.get('content-type'), await file.text()]).toEqual([
      'application/x-ndjson; charset=utf-8',
      content,
    ]);
    expect((await call('DELETE', path)).body.data).toEqual({ recordingId: path.slice(1), removed: true });
    expect((await call('GET', path)).status).toBe(404);
  });

  it.each([
    ['no recording', 'key,params\n', 'line 1'],
    ['another version', '{"recording":"lensforge","version":2}', 'line 1'],
    ['a line that is no JSON', `${content}{"kind":`, 'line 3: is not a JSON object'],
    [
      'a call without an answer',
      `${content}${JSON.stringify({ ...line, response: undefined })}`,
      'line 3: response is missing',
    ],
    [
      'a place that is too long',
      `${content}${JSON.stringify({ ...line, place: 'n'.repeat(601) })}`,
      'line 3: place is missing',
    ],
    [
      'a call of another kind',
      `${content}${JSON.stringify({ ...line, kind: 'mail' })}`,
      'line 3: kind is missing or wrong',
    ],
  ])('answer 400 with the line of the fault: %s', async (_, file, message) => {
    const { status, body } = await call('POST', '', { name: 'Wrong', content: file });
    expect([status, JSON.stringify(body.error)]).toEqual([400, expect.stringContaining(message)]);
  });
});
