import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Session } from './session';

const token = (value: string): Response => Response.json({ access_token: value, expires_in: 3600 });

describe('the session of a tab', () => {
  let session: Session;
  let answers: Response[];
  beforeEach(async () => {
    answers = [token('of the tab')];
    jest.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(answers.shift() ?? Response.error()));
    session = new Session({ api: 'https://api.test', signIn: 'https://id.test' });
    await session.renew();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('takes the token of the session of the browser', async () => {
    answers = [token('of the browser')];
    await session.preferBrowserSession();
    expect(await session.accessToken()).toBe('of the browser');
  });

  it.each([204, 403])('keeps its token when the oauth service answers with %i', async (status) => {
    answers = [new Response(null, { status })];
    await session.preferBrowserSession();
    expect(await session.accessToken()).toBe('of the tab');
  });

  it('has no token after a renewal without a session', async () => {
    answers = [new Response(null, { status: 204 }), new Response(null, { status: 204 })];
    expect(await session.renew()).toBe(false);
    expect(await session.accessToken()).toBeUndefined();
  });
});
