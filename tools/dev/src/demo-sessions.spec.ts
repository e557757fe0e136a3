import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DemoSessions } from './demo-sessions.js';
import { openLog } from './log.js';

const page = `<form method="post"><input type="hidden" name="csrf_token" value="a&amp;b" /><input name="email" /></form>`;
const alice = { email: 'alice@lensforge.test', password: 'secret', handle: 'alice', lenserId: '' };
const eventually = async (fact: () => boolean): Promise<void> => {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('the sessions of the demo users', () => {
  let asked: string[];
  let refuseRefresh: boolean;
  let sessions: DemoSessions;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const form = new URLSearchParams(body);
      if (request.method === 'GET') response.setHeader('set-cookie', 'lf_visit=v; Path=/; HttpOnly').end(page);
      else if (request.url === '/id/authorize') {
        const isOwnForm = form.get('csrf_token') === 'a&b' && request.headers.cookie === 'lf_visit=v';
        const good = isOwnForm && form.get('password') === alice.password;
        asked.push(good ? 'signed in' : 'refused');
        response
          .writeHead(good ? 303 : 401, good ? { location: 'http://127.0.0.1/callback?code=c&state=s' } : {})
          .end();
      } else {
        const grant = form.get('grant_type') ?? '';
        asked.push(grant);
        const answer = {
          access_token: `token ${asked.length}`,
          refresh_token: `refresh ${asked.length}`,
          expires_in: 0.1,
        };
        const refused = grant === 'refresh_token' && refuseRefresh;
        response.end(JSON.stringify(refused ? { error: 'invalid_grant' } : answer));
      }
    });
  });

  beforeEach(async () => {
    asked = [];
    refuseRefresh = false;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    sessions = new DemoSessions(`http://127.0.0.1:${port}`, openLog({ format: 'json', write: () => undefined }));
  });
  afterEach(async () => {
    sessions.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('are opened by the form and a code', async () => {
    await sessions.open([alice, { ...alice, handle: 'bob' }]);
    expect(Object.keys(sessions.tokens).sort()).toEqual(['session', 'session2']);
    expect(asked.slice(0, 4).sort()).toEqual(['authorization_code', 'authorization_code', 'signed in', 'signed in']);
  });

  it('are renewed before their tokens expire, with a notification', async () => {
    let changes = 0;
    await sessions.open([alice]);
    const first = sessions.tokens['session'];
    sessions.onChange = () => (changes += 1);
    await eventually(() => changes >= 2);
    expect(sessions.tokens['session']).not.toBe(first);
    expect(asked).toContain('refresh_token');
  });

  it('are opened again when they cannot be renewed', async () => {
    refuseRefresh = true;
    await sessions.open([alice]);
    const first = sessions.tokens['session'];
    await eventually(() => sessions.tokens['session'] !== first);
    expect(asked.slice(2, 5)).toEqual(['refresh_token', 'signed in', 'authorization_code']);
  });

  it('report a wrong password', async () => {
    await expect(sessions.open([{ ...alice, password: 'wrong' }])).rejects.toThrow(
      'alice@lensforge.test could not sign in: the form was answered with 401',
    );
  });
});
