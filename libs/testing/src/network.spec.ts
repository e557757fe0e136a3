import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { until } from './index.js';

describe('the network guard of the tests', () => {
  it('refuses connections to other machines', async () => {
    await expect(fetch('http://192.0.2.1/')).rejects.toMatchObject({
      cause: { message: 'Tests have no network but loopback: connecting to 192.0.2.1:80 was refused' },
    });
    const refused = await new Promise((resolve) => connect(80, 'example.com').once('error', resolve));
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('until', () => {
  it('returns the value of the predicate and ignores earlier errors', async () => {
    let tries = 0;
    const value = await until(() => {
      tries += 1;
      if (tries < 3) throw new Error('not yet');
      return 'there';
    });
    expect([value, tries]).toEqual(['there', 3]);
  });

  it('fails with the last error as the cause', async () => {
    const never = until(() => Promise.reject(new Error('down')), { within: 30, what: 'the server' });
    await expect(never).rejects.toMatchObject({
      message: 'the server was not ready after 30 ms',
      cause: { message: 'down' },
    });
  });
});
