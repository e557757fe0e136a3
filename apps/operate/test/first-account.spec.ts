import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { User, findCredentials, hashToken, signIn } from '@lensforge/identity';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operate } from '../src/operate.js';

let database: TestDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ ctx } = database);
});
afterAll(() => database.close());

async function runCommand(args: readonly string[], more: Record<string, string> = {}, input = '') {
  const output: string[] = [];
  const errors: string[] = [];
  const code = await operate(args, {
    environment: { DATABASE_URL: database.url, ...more },
    print: (each) => output.push(each),
    printError: (each) => errors.push(each),
    readInput: () => Promise.resolve(input),
  });
  return { code, output, errors: errors.join('\n') };
}

const run = (line: string, input?: string) => runCommand(line.split(' '), {}, input);
const canSignIn = (email: string, password: string): Promise<boolean> =>
  signIn(ctx, { email, password, address: '192.0.2.1' }).then(
    () => true,
    () => false,
  );
const actorOf = async (token: string) => (await findCredentials(database.source.manager, [hashToken(token)]))[0];
const generated = (): string => `lf_dev_${randomBytes(32).toString('hex')}`;

describe('create-user', () => {
  it('prints a generated password alone, with which the person can sign in', async () => {
    const { code, output, errors } = await run('create-user ada ada@example.com');
    expect({ code, lines: output.length }).toEqual({ code: 0, lines: 1 });
    expect(errors).toMatch(/^created ada with the account [0-9a-f-]{36}\nthe password is shown this once:$/);
    expect(await canSignIn('ada@example.com', output[0] ?? '')).toBe(true);
    expect(await canSignIn('ada@example.com', 'another password')).toBe(false);
  });

  it.each([
    ['a file', (file: string) => file],
    ['standard input', () => '-'],
  ])('takes a password from %s and prints none', async (name, argument) => {
    const [password, file] = [`four words of ${name}`, join(await mkdtemp(join(tmpdir(), 'operate-')), 'password')];
    await writeFile(file, `${password}\n`);
    const handle = `user-of-${name.replace(/ /g, '-')}`;
    const line = `create-user ${handle} ${handle}@example.com --password-file=${argument(file)}`;
    expect(await run(line, `${password}\n`)).toMatchObject({ code: 0, output: [] });
    expect(await canSignIn(`${handle}@example.com`, password)).toBe(true);
  });

  it('is audited as an action of the platform', async () => {
    const entries = await database.source.query<{ action: string; kind: string }[]>(
      `select action, actor ->> 'credential' as kind from audit_entries e join accounts a on a.id = e.account_id
        where a.handle = 'ada' order by sequence`,
    );
    expect(entries).toContainEqual({ action: 'user.created', kind: 'service_role' });
  });

  it.each([
    ['create-user bob', 2, 'create-user takes a handle'],
    ['create-user bob bob', 2, 'email: an address'],
    ['create-user bob bob@example.com --password=secret', 2, '--password is not usable'],
    ['create-user bob bob@example.com --password-file=/nowhere', 2, '/nowhere cannot be read'],
    ['create-user bob bob@example.com --password-file=-', 2, 'standard input is empty'],
    ['create-user B bob@example.com', 2, 'handle: 3 to 64'],
    ['create-user ada other@example.com', 1, 'The handle ada is taken'],
    ['create-user ada2 ADA@example.com', 1, 'already a user with this email'],
  ])('explains what is wrong with "%s"', async (line, code, fault) => {
    const result = await run(line);
    expect(result).toMatchObject({ code, output: [], errors: expect.stringContaining(fault) });
    expect(result.errors).not.toContain('secret');
    expect(result.errors).not.toContain('    at ');
  });

  it('refuses a common password', async () => {
    expect(await run('create-user eve eve@example.com --password-file=-', 'password1\n')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('most common passwords'),
    });
  });
});

describe('reset-second-factor', () => {
  it('lets a person who has lost their app sign in with the password alone', async () => {
    const { output } = await run('create-user lost lost@example.com');
    const { id } = await ctx.db.findOneByOrFail(User, { email: 'lost@example.com' });
    await ctx.db.query(`insert into second_factors (user_id, secret, confirmed_at) values ($1, '\\x00', now())`, [id]);
    const signedIn = () => signIn(ctx, { email: 'lost@example.com', password: output[0] ?? '', address: '192.0.2.1' });
    expect(await signedIn()).toMatchObject({ needsCode: true });
    expect(await run('reset-second-factor LOST@example.com')).toMatchObject({ code: 0, errors: '' });
    expect(await signedIn()).toMatchObject({ needsCode: false });
    const [entry] = await ctx.db.query<{ action: string }[]>(
      `select action from audit_entries where target ->> 'id' = $1 and action like 'second_factor%'`,
      [id],
    );
    expect(entry).toEqual({ action: 'second_factor.removed' });
  });

  it.each([
    ['reset-second-factor', 2, 'takes an email address'],
    ['reset-second-factor unknown@example.com', 1, 'There is no user with the email unknown@example.com'],
  ])('explains what is wrong with "%s"', async (line, code, fault) => {
    expect(await run(line)).toMatchObject({ code, output: [], errors: expect.stringContaining(fault) });
  });
});

describe('create-community', () => {
  it('creates a community that belongs to a person', async () => {
    const { code, output } = await runCommand(['create-community', 'analysts', 'ada', '--name=The Analysts']);
    expect({ code, output: output[0] }).toEqual({ code: 0, output: expect.stringContaining('its owner is ada') });
    const rows = await database.source.query<unknown[]>(
      `select c.display_name as name, m.role, o.handle from accounts c join memberships m on m.community_id = c.id
         join accounts o on o.id = m.account_id where c.handle = 'analysts'`,
    );
    expect(rows).toEqual([{ name: 'The Analysts', role: 'owner', handle: 'ada' }]);
  });

  it.each([
    ['create-community analysts ada', 1, 'The handle analysts is taken'],
    ['create-community more nobody-here', 2, 'there is no account nobody-here'],
    ['create-community more analysts', 2, 'is no person'],
    ['create-community more', 2, 'create-community takes'],
  ])('explains what is wrong with "%s"', async (line, code, fault) => {
    expect(await run(line)).toMatchObject({ code, output: [], errors: expect.stringContaining(fault) });
  });
});

describe('create-token', () => {
  it('prints a token alone, with all scopes of its kind', async () => {
    for (const [who, kind] of [
      ['ada', 'developer'],
      ['ada', 'mcp'],
      ['analysts', 'organisation'],
    ]) {
      const { code, output } = await run(`create-token ${who} ${kind}`);
      expect({ code, lines: output.length }).toEqual({ code: 0, lines: 1 });
      expect(await actorOf(output[0] ?? '')).toMatchObject({
        credential: { kind },
        scopes: expect.arrayContaining(['lenses:read', 'lenses:write']),
      });
    }
  });

  it('limits scopes and days, and takes a generated value', async () => {
    const value = generated();
    const line = 'create-token ada developer --scopes=lenses:read,workflows:read --days=7 --label=ci --value-file=-';
    expect(await run(line, value)).toMatchObject({ code: 0, output: [] });
    expect(await actorOf(value)).toMatchObject({ scopes: ['lenses:read', 'workflows:read'] });
    expect(await run(line, value)).toMatchObject({ code: 1, errors: expect.stringContaining('value exists') });
  });

  it.each([
    ['create-token ada service', '', 'one of developer, mcp and organisation'],
    ['create-token ada developer --scopes=tokens:write', '', 'tokens:write is no scope of a token of kind developer'],
    ['create-token ada developer --days=91', '', '1 to 90 days'],
    ['create-token ada mcp --days=9', '', 'no expiry'],
    ['create-token ada organisation', '', 'is no community'],
    ['create-token analysts developer', '', 'is no active person'],
    ['create-token ada developer --value-file=-', `lf_dev_${'0'.repeat(64)}`, '64 random hexadecimal digits'],
    ['create-token ada developer --value-file=-', `lf_mcp_${'0123456789abcdef'.repeat(4)}`, 'must look like lf_dev_'],
  ])('explains what is wrong with "%s"', async (line, input, fault) => {
    expect(await run(line, input)).toMatchObject({ code: 2, output: [], errors: expect.stringContaining(fault) });
  });
});

describe('LENSFORGE_INIT_…', () => {
  const token = generated();
  const wanted = {
    LENSFORGE_INIT_EMAIL: 'root@example.com',
    LENSFORGE_INIT_HANDLE: 'root-admin',
    LENSFORGE_INIT_PASSWORD: 'four words in here',
    LENSFORGE_INIT_COMMUNITY: 'headquarters',
    LENSFORGE_INIT_TOKEN: token,
    LENSFORGE_INIT_CREDITS: '500',
  };

  it('creates the first administrator, community, token and credits once, however often migrate and init run', async () => {
    const [first, second] = await Promise.all([runCommand(['migrate'], wanted), runCommand(['init'], wanted)]);
    expect([first.code, second.code]).toEqual([0, 0]);
    const lines = [...first.output, ...second.output];
    for (const line of [/^created root-admin/, /^created the community/, /^created the token/, /^granted 500 credits/])
      expect(lines.filter((each) => line.test(each))).toHaveLength(1);
    expect(lines.join('\n')).not.toContain(token);
    expect(await canSignIn('root@example.com', 'four words in here')).toBe(true);
    expect(await actorOf(token)).toMatchObject({ credential: { kind: 'developer' } });
    expect(await runCommand(['init'], wanted)).toMatchObject({
      code: 0,
      output: [
        'root-admin exists',
        'the handle headquarters exists',
        'the token exists',
        'the credits were granted before',
      ],
    });
  });

  it('restores neither a revoked token nor an old password', async () => {
    await database.source.query('update api_tokens set revoked_at = now() where hash = $1', [hashToken(token)]);
    const { code, output } = await runCommand(['init'], { ...wanted, LENSFORGE_INIT_PASSWORD: 'a later password' });
    expect({ code, token: output[2] }).toEqual({ code: 0, token: expect.stringContaining('was revoked') });
    expect(await canSignIn('root@example.com', 'four words in here')).toBe(true);
    expect(await actorOf(token)).toBeUndefined();
  });

  it('gives the account of another person nothing', async () => {
    const stolen = generated();
    const other = { ...wanted, LENSFORGE_INIT_EMAIL: 'late@example.com', LENSFORGE_INIT_HANDLE: 'ada' };
    expect(await runCommand(['init'], { ...other, LENSFORGE_INIT_TOKEN: stolen })).toMatchObject({
      code: 0,
      output: ['the handle ada belongs to another or a disabled account: nothing was created'],
    });
    expect(await actorOf(stolen)).toBeUndefined();
  });

  it('says that nothing is set, and which settings belong together', async () => {
    expect(await run('init')).toMatchObject({ code: 0, output: [expect.stringContaining('nothing to create')] });
    const { code, errors } = await runCommand(['init'], { LENSFORGE_INIT_COMMUNITY: 'headquarters' });
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('LENSFORGE_INIT_COMMUNITY') });
    expect(errors).toContain('needs LENSFORGE_INIT_EMAIL');
  });
});
