import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callback, authorizeUrl, challenge, openStage, password } from './pages-stage.js';
import type { Stage } from './pages-stage.js';
import type { Page } from './visitor.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ environment: { LENSFORGE_TRUSTED_PROXIES: 'loopback' } });
});
afterAll(() => stage.close());

const answerIn = ({ location = '' }: Page): Record<string, string> =>
  Object.fromEntries(new URL(location).searchParams);

describe('the authorization page', () => {
  it('is a form right away, and its answer leads back to the client with a code', async () => {
    const [client, { email }] = [await stage.client(), await stage.person()];
    const visitor = stage.visitor();
    const page = await visitor.get(authorizeUrl(client));
    expect(page).toMatchObject({ status: 200, title: 'Connect A tool · Lensforge' });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.forms[0]?.values).toMatchObject({
      email: '',
      password: '',
      response_type: 'code',
      client_id: client,
      redirect_uri: callback,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 'xyz',
    });
    expect(page.text).toContain('tool.example');
    const answer = await visitor.submit(page, { email, password });
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(/^https:\/\/tool\.example\/cb\?code=lf_mcp_[0-9a-f]{64}&state=xyz&iss=http/);
    expect(answerIn(answer)['iss']).toBe(stage.service.url);
  });
});
