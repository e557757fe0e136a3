import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { until } from './index.js';

describe('the network of a test', () => {
  it('is closed but for this machine', async () => {
    await expect(fetch('http://192.0.2.1/')).rejects.toMatchObject({
      cause: { message: 'Tests have no network but loopback: connecting to 192.0.2.1:80 was refused' },
    });
    const refused = await new Promise((resolve) => connect(80, 'example.com').once('error', resolve));
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('waiting until', () => {
  it('answers what it waited for, passing over errors', async () => {
    let tries = 0;
    const value = await until(() => {
      tries += 1;
      if (tries < 3) throw new Error('not yet');
      return 'there';
    });
    expect([value, tries]).toEqual(['there', 3]);
  });

  it('gives up with the last error as the cause', async () => {
    const never = until(() => Promise.reject(new Error('down')), { within: 30, what: 'the server' });
    await expect(never).rejects.toMatchObject({
      message: 'the server did not come about within 30 ms',
      cause: { message: 'down' },
    });
  });
});
