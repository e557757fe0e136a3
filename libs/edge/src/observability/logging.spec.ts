import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { NestLogger, createLogger } from './logging.js';

const hex = 'ab'.repeat(32);
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';

function captureLog(format: 'json' | 'pretty' = 'json') {
  const lines: string[] = [];
  const logger = createLogger({ service: 'x', level: 'trace', format, to: { write: (line) => void lines.push(line) } });
  return { logger, lines, output: () => lines.join('') };
}

describe('the logger', () => {
  it('writes one line of JSON with level, time, service and message', () => {
    const { logger, lines } = captureLog();
    logger.info({ route: '/v1' }, 'hello');
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'info', service: 'x', route: '/v1', msg: 'hello' });
  });

  it('redacts members with the name of a secret at any depth', () => {
    const { logger, lines, output } = captureLog();
    const given = { authorization: 'a1', cookie: 'a2', clientSecret: 'a3', nested: [{ apiKey: 'a4', password: 'a5' }] };
    logger.info({ ...given, accessToken: 'a6', 'set-cookie': ['a7'], idempotencyKey: 'mine' }, 'given');
    expect(output()).not.toMatch(/a[1-7]"/);
    expect(JSON.parse(lines[0]!)).toMatchObject({ idempotencyKey: 'mine', nested: [{ apiKey: '[redacted]' }] });
  });

  it.each([
    ['an MCP token', `lf_mcp_${hex}`, 'lf_mcp_[redacted]'],
    ['a developer token', `lf_dev_${hex}`, 'lf_dev_[redacted]'],
    ['an organisation token', `lf_org_${hex}`, 'lf_org_[redacted]'],
    ['a service token', `lf_svc_${hex}`, 'lf_svc_[redacted]'],
    ['a refresh token', `lf_ref_${hex}`, 'lf_ref_[redacted]'],
    ['the secret in a cookie', `lf_ses_${hex}`, 'lf_ses_[redacted]'],
    ['a token to confirm an e-mail address', `lf_sup_${hex}`, 'lf_sup_[redacted]'],
    ['a token to reset a password', `lf_rst_${hex}`, 'lf_rst_[redacted]'],
    ['a device code', `lf_dvc_${hex}`, 'lf_dvc_[redacted]'],
    ['an invite', `lf_inv_${hex}`, 'lf_inv_[redacted]'],
    ['a code in a URL', '/callback?code=4711-4712&state=x', 'code=[redacted]&state=x'],
    ['a user code', '/id/device?user_code=BCDF-GHJK', 'user_code=[redacted]'],
    ['a PKCE verifier', 'code_verifier=dBjftJeZ4CVP', 'code_verifier=[redacted]'],
    ['a token in a URL', '/callback#access_token=abcdef', 'access_token=[redacted]'],
    ['a webhook secret', 'whsec_C2FVsBQIhrscChlQIMV/b5sS+ZZZ=', 'whsec_[redacted]'],
    ['a JWT', jwt, 'eyJ[redacted]'],
    ['a bearer header', 'Bearer abcdefghijkl', 'Bearer [redacted]'],
    ['the password of a URL', 'postgres://lensforge:hunter2@db/x', 'postgres://lensforge:[redacted]@db/x'],
  ])('redacts %s in message, members, errors and bindings', (_what, secret, left) => {
    for (const format of ['json', 'pretty'] as const) {
      const { logger, output } = captureLog(format);
      logger.warn({ note: `(${secret})`, list: [secret] }, `it was ${secret}.`);
      logger.error({ err: new Error(`bad ${secret}`) }, 'failed');
      logger.child({ binding: secret }).info('child');
      expect(output()).not.toContain(secret);
      expect(output()).toContain(left);
    }
  });

  it('leaves client ids and token prefixes readable', () => {
    const { logger, output } = captureLog();
    logger.info({ client: 'lf_mcp_client_localdev', prefix: 'lf_dev_abcde' }, 'readable');
    expect(output()).toContain('lf_mcp_client_localdev');
    expect(output()).toContain('lf_dev_abcde"');
  });

  it('writes type, message, code and stack of an error, and no other members', () => {
    const { logger, lines, output } = captureLog();
    const cause = new Error('connection lost');
    const err = Object.assign(new TypeError('no', { cause }), {
      code: '23505',
      detail: 'Key (email)=(a@b.c)',
      query: 'q',
    });
    logger.error({ err }, 'failed');
    expect(JSON.parse(lines[0]!)).toMatchObject({
      err: { type: 'TypeError', message: 'no', code: '23505', cause: { message: 'connection lost' } },
    });
    expect(output()).not.toContain('a@b.c');
  });

  it.each(['json', 'pretty'] as const)(
    'escapes control characters, so that input cannot forge a line (%s)',
    (format) => {
      const { logger, lines, output } = captureLog(format);
      logger.info({ name: 'a\r\n{"level":"fatal"}', 'x\ny': 1 }, 'b\u001b[2J\u2028\u0085\r\nc');
      expect(lines).toHaveLength(1);
      expect(output().trimEnd()).not.toMatch(/[\r\n\u2028\u0085]/);
      expect(output()).not.toContain('\u001b[2J');
    },
  );

  it('writes the stack below the line in the pretty format', () => {
    const { logger, output } = captureLog('pretty');
    logger.error({ err: new RangeError('too far') }, 'failed');
    expect(output()).toMatch(/error.*failed.*\n.*RangeError: too far.*\n.*at /);
  });
});

/** A program that logs and ends on SIGTERM as a service does. */
const compiled = pathToFileURL(join(import.meta.dirname, '..', '..', 'dist', 'observability', 'logging.js'));
const program = `
  const { createLogger } = await import('${compiled.href}');
  const logger = createLogger({ service: 'x' });
  process.once('SIGTERM', async () => {
    logger.info('stopped');
    await logger.flushNow();
    process.exit(3);
  });
  setInterval(() => {}, 1000);
  process.stderr.write('ready');`;

describe('the standard output of a process', () => {
  const start = async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
    await once(child.stderr, 'data');
    return child;
  };

  it('has all lines when the process exits', async () => {
    const child = await start();
    let text = '';
    child.stdout.on('data', (part: Buffer) => (text += part.toString()));
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([3, null]);
    expect(text).toMatch(/"msg":"stopped"}\n$/);
  });

  it('does not keep the process when its reader has ended', async () => {
    const child = await start();
    child.stdout.destroy();
    await once(child.stdout, 'close');
    child.kill('SIGTERM');
    const ended = once(child, 'exit');
    const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
    expect(await ended).toEqual([3, null]);
    clearTimeout(late);
  });
});

describe('the logger of Nest', () => {
  it('writes messages at debug, and errors at error with their stack', () => {
    const { logger, lines } = captureLog();
    const nest = new NestLogger(logger);
    nest.log('Mapped {/x, GET} route', 'RouterExplorer');
    nest.error(new Error('broken'));
    const [mapped, broken] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(mapped).toMatchObject({ level: 'debug', context: 'RouterExplorer' });
    expect(broken).toMatchObject({ level: 'error', msg: 'broken', err: { message: 'broken' } });
  });
});
