import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordAudit, signAuditHeads } from '@lensforge/audit';
import { type Context, newId } from '@lensforge/core';
import { newestSchema } from '@lensforge/database';
import {
  currentAuditSigner,
  findServiceRole,
  openSigningKeys,
  publishedAuditKeys,
  publishedKeys,
} from '@lensforge/identity';
import { aContext, freshDatabase } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount } from '@lensforge/identity/testing';
import { cancelRun } from '@lensforge/runs';
import { aRun } from '@lensforge/runs/testing';
import { ledgerFaults } from '@lensforge/credits';
import { ByokOpener, createByokKey } from '@lensforge/byok';
import { aKeyPair, aMasterKey } from '@lensforge/byok/testing';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { keyRing, open, readMasterKeys, seal } from '@lensforge/vault';
import { createEndpoint, createIncomingWebhook, openSecret, rotateSecret } from '@lensforge/webhooks';
import { aLens } from '@lensforge/lenses/testing';
import { rewrapSealed } from '@lensforge/master-keys';
import { operate } from '../src/operate.js';

const masterKey = randomBytes(32).toString('base64');
let database: TestDatabase;
let source: TestDatabase['source'];
let ctx: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source, ctx } = database);
});
afterAll(() => database.close());

async function runCommand(line: string, more: Record<string, string | undefined> = {}) {
  const output: string[] = [];
  const errors: string[] = [];
  const code = await operate(line.split(' ').filter(Boolean), {
    environment: { DATABASE_URL: database.url, LENSFORGE_MASTER_KEY: masterKey, ...more },
    print: (each) => output.push(each),
    printError: (each) => errors.push(each),
  });
  return { code, output, errors: errors.join('\n') };
}

describe('operate', () => {
  it.each(['', 'reboot', 'migrate now and then', 'verify-audit a b c'])(
    'prints the help for the unknown command line %j',
    async (line) => {
      const { code, output, errors } = await runCommand(line);
      expect({ code, output }).toEqual({ code: 2, output: [] });
      expect(errors).toContain('rotate-signing-keys');
    },
  );

  it('warns of a setting that no service has', async () => {
    const { code, errors } = await runCommand('migrate', { LENSFORGE_MASTERKEY: 'x' });
    expect(code).toBe(0);
    expect(errors).toBe(
      'warning: LENSFORGE_MASTERKEY is not a setting of any service and has no effect; did you mean LENSFORGE_MASTER_KEY?',
    );
  });

  it('prints its help', async () => {
    const { code, output } = await runCommand('help');
    expect(code).toBe(0);
    expect(output.join('\n')).toMatch(
      /migrate.*\n.*set-role-limits.*\n.*init.*\n.*create-user.*\n.*reset-second-factor.*\n.*set-operator.*\n.*create-community.*\n.*create-token.*\n.*doctor.*\n.*backup.*\n.*restore.*\n.*models.*\n.*rebuild-queue.*\n.*rotate-signing-keys.*\n.*verify-audit.*\n.*issue-service-role-key/,
    );
  });

  it('explains a missing or wrong argument, setting or database', async () => {
    expect(await runCommand('migrate now')).toMatchObject({ code: 2, errors: expect.stringContaining('--app-role') });
    expect(await runCommand('verify-audit me')).toMatchObject({ code: 2, errors: 'account-id must be a UUID' });
    const keyless = await runCommand('rotate-signing-keys', { LENSFORGE_MASTER_KEY: undefined });
    expect(keyless).toMatchObject({ code: 2, errors: expect.stringContaining('LENSFORGE_MASTER_KEY is required') });
    const short = await runCommand('rotate-signing-keys', { LENSFORGE_MASTER_KEY: 'c2hvcnQ=' });
    expect(short).toMatchObject({ code: 2, errors: expect.stringContaining('32 random bytes') });
    const nowhere = await runCommand('verify-audit', { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' });
    expect(nowhere).toMatchObject({
      code: 1,
      errors: expect.stringContaining('127.0.0.1:1/none cannot be opened'),
    });
    expect(nowhere.errors).not.toContain('secret');
    const unset = await runCommand('verify-audit', { DATABASE_URL: undefined });
    expect(unset).toMatchObject({ code: 1, errors: expect.stringContaining('DATABASE_URL') });
  });
});

describe('migrate', () => {
  it('reports an up-to-date schema and changes nothing', async () => {
    const { code, output } = await runCommand('migrate');
    expect({ code, output }).toEqual({ code: 0, output: ['the schema is up to date'] });
  });

  it('creates the schema of an empty database', async () => {
    const empty = await freshDatabase({ empty: true });
    const { code, output } = await runCommand('migrate', { DATABASE_URL: empty.url });
    await empty.drop();
    expect(code).toBe(0);
    expect(output).toContain('applied 0001-baseline');
  });

  it('grants a role the privileges of services', async () => {
    const role = `operate_spec_${process.pid}`;
    expect(await runCommand(`migrate --app-role ${role}`)).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`There is no role ${role}: create it first`),
    });
    await source.query(`create role ${role} login`);
    for (const option of [`--app-role ${role}`, `--app-role=${role}`]) {
      const { code, output } = await runCommand(`migrate ${option}`);
      expect([code, output.at(-1)]).toEqual([0, `the role ${role} has the privileges that services need`]);
    }
    const [{ reads, rewrites }] = await source.query<[{ reads: boolean; rewrites: boolean }]>(
      `select has_table_privilege($1, 'lenses', 'delete') as reads, has_table_privilege($1, 'audit_entries', 'update') as rewrites`,
      [role],
    );
    expect([reads, rewrites]).toEqual([true, false]);
    await source.query(`drop owned by ${role}; drop role ${role}`);
  });

  it('is required by other commands on an older schema', async () => {
    const [[newest]] = await source.query<[[{ name: string }], number]>(
      'delete from schema_migrations where version = $1 returning name',
      [newestSchema()],
    );
    try {
      const { code, errors } = await runCommand('verify-audit');
      expect(code).toBe(1);
      expect(errors).toContain('run the migrations first');
    } finally {
      await source.query('insert into schema_migrations (version, name) values ($1, $2)', [
        newestSchema(),
        newest.name,
      ]);
    }
  });
});

describe('rebuild-queue', () => {
  it('creates a new job for each queued run, and none for ended or waiting runs', async () => {
    const own = { ...ctx, actor: { ...ctx.actor, accountId: (await anAccount(ctx)).id } };
    const [queued, canceled, waiting] = await Promise.all([aRun(own), aRun(own), aRun(own)]);
    await cancelRun(own, canceled.runId);
    await source.query(`update runs set admitted_at = null, waits_for = 'slot' where id = $1`, [waiting.runId]);
    await source.query('delete from outbox');
    expect(await runCommand('rebuild-queue')).toMatchObject({ code: 0, output: ['1 queued runs have new jobs'] });
    const jobs = await source.query<{ jobId: string }[]>('select job_id as "jobId" from outbox');
    expect(jobs).toEqual([{ jobId: `${queued.runId}-g1` }]);
    expect(await runCommand('rebuild-queue')).toMatchObject({ code: 0, output: ['0 queued runs have new jobs'] });
  });
});

describe('rotate-signing-keys', () => {
  it('publishes one next key beside the signing key, also when repeated', async () => {
    await openSigningKeys({
      db: source.manager,
      ring: keyRing(readMasterKeys(masterKey)),
      issuer: 'https://a.test/id',
    });
    const kids = async () => (await publishedKeys(ctx)).map(({ kid }) => kid);
    const [before] = await kids();
    const first = await runCommand('rotate-signing-keys');
    const second = await runCommand('rotate-signing-keys');
    expect(first.code).toBe(0);
    expect(second.output).toEqual(first.output);
    const after = await kids();
    expect(after).toHaveLength(2);
    expect(after).toContain(before);
    expect(first.output[0]).toContain(after.find((kid) => kid !== before));
  });
});

describe('verify-audit', () => {
  const ring = () => keyRing(readMasterKeys(masterKey));
  const sign = () => signAuditHeads(ctx, { signer: (ctx) => currentAuditSigner(ctx, ring()), everySeconds: 0 });
  const tamper = (...statements: string[]) =>
    source.transaction(async (db) => {
      await db.query('set local session_replication_role = replica');
      for (const sql of statements) await db.query(sql);
    });

  it('accepts an intact log and detects an altered entry', async () => {
    const accountId = newId();
    for (const kind of ['one', 'two', 'three']) {
      await recordAudit(ctx, { accountId, action: 'token.created', details: { kind } });
    }
    expect(await runCommand(`verify-audit ${accountId}`)).toMatchObject({
      code: 0,
      output: ['3 entries in 1 audit logs: all hold', '0 signed statements: all hold'],
    });
    const details = (kind: string) =>
      `update audit_entries set details = '{"kind": "${kind}"}' where account_id = '${accountId}' and sequence = 2`;
    await tamper(details('2'));
    const { code, output } = await runCommand('verify-audit');
    expect(code).toBe(1);
    expect(output[0]).toBe(`${accountId}, entry 2: the entry was altered: its hash does not match its content`);
    expect(output.at(-2)).toContain('1 do not hold');
    await tamper(details('two'));
  });

  it('compares the log with signed statements, also those of earlier keys', async () => {
    await sign();
    const rotated = await runCommand('rotate-signing-keys');
    expect(rotated.output.at(-1)).toMatch(/^the key \S+ signs the audit log from now on$/);
    await sign();
    const whole = await runCommand('verify-audit');
    expect(whole).toMatchObject({
      code: 0,
      output: [
        expect.stringContaining('all hold'),
        expect.stringMatching(/^2 signed statements, the newest of 20.*Z: all hold$/),
      ],
    });

    const [{ accountId, hash }] = await source.query<[{ accountId: string; hash: Buffer }]>(
      'select account_id as "accountId", hash from audit_heads where sequence = 3 limit 1',
    );
    const cut = [
      `delete from audit_entries where account_id = '${accountId}' and sequence = 3`,
      `update audit_heads h set sequence = 2, hash = e.hash from audit_entries e
        where h.account_id = e.account_id and e.account_id = '${accountId}' and e.sequence = 2`,
    ];
    await source.query('create table removed_entries as select * from audit_entries');
    await tamper(...cut);
    const { code, output } = await runCommand('verify-audit');
    expect(code).toBe(1);
    expect(output).toEqual([
      expect.stringContaining('all hold'),
      `${accountId}, entry 3: was signed in statement 1 and is missing`,
      expect.stringContaining('1 do not hold'),
    ]);
    await tamper(
      'insert into audit_entries select * from removed_entries on conflict do nothing',
      `update audit_heads set sequence = 3, hash = '\\x${hash.toString('hex')}' where account_id = '${accountId}'`,
    );
    expect(await runCommand('verify-audit')).toMatchObject({ code: 0 });
    await source.query('drop table removed_entries');
  });

  it('trusts keys from a file, and fails without keys', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'audit-keys-')), 'keys.json');
    await writeFile(file, JSON.stringify({ keys: await publishedAuditKeys(ctx) }));
    const keyless = { LENSFORGE_MASTER_KEY: undefined };
    expect(await runCommand(`verify-audit --keys=${file}`, keyless)).toMatchObject({ code: 0 });
    await writeFile(file, JSON.stringify({ keys: (await publishedAuditKeys(ctx)).slice(1) }));
    expect(await runCommand(`verify-audit --keys=${file}`, keyless)).toMatchObject({
      code: 1,
      output: expect.arrayContaining([expect.stringContaining('which is not trusted')]),
    });
    expect(await runCommand('verify-audit', keyless)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('needs LENSFORGE_MASTER_KEY'),
    });
    expect(await runCommand('verify-audit --keys=/nowhere.json')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('/nowhere.json'),
    });
    expect(await runCommand('verify-audit --keys=')).toMatchObject({ code: 2 });
    expect(await runCommand(`verify-audit ${newId()} ${newId()}`)).toMatchObject({ code: 2 });
  });
});

describe('issue-service-role-key', () => {
  it('prints a key that the platform accepts', async () => {
    const { code, output } = await runCommand('issue-service-role-key');
    expect(code).toBe(0);
    expect(await findServiceRole(source.manager, output.join(''))).toBeDefined();
  });
});

describe('grant-credits', () => {
  const balanceOf = async (id: string) =>
    (
      await source.query<{ available: string }[]>('select available from credit_accounts where account_id = $1', [id])
    )[0]?.available;

  it('grants credits by handle or id, with audit entries, and once per key', async () => {
    const { id, handle } = await anAccount(ctx);
    expect(await runCommand(`grant-credits ${handle} 100 welcome`)).toMatchObject({
      code: 0,
      output: [`${handle} was given 100 credits and has 100 to spend`],
    });
    for (const granted of ['was given 50', 'already received']) {
      const { code, output } = await runCommand(`grant-credits ${id} 50 --key=invoice-7`);
      expect([code, output[0]]).toEqual([0, expect.stringContaining(granted)]);
    }
    expect(await balanceOf(id)).toBe('150');
    const record = await source.query<{ details: object }[]>(
      `select e.details - 'personalHash' || d.details as details
         from audit_entries e join audit_details d using (account_id, sequence)
        where account_id = $1 and action = 'credits.granted' order by sequence`,
      [id],
    );
    expect(record.map(({ details }) => details)).toEqual([
      { amount: 100, note: 'welcome' },
      { amount: 50, key: 'invoice-7' },
    ]);
    expect(await ledgerFaults(source.manager)).toEqual([]);
  });

  it('refuses an AI lenser, which spends the credits of its owner', async () => {
    const { id, handle } = await anAccount(ctx, { kind: 'agent' });
    expect(await runCommand(`grant-credits ${handle} 5`)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('grant the credits to its owner'),
    });
    expect(await balanceOf(id)).toBeUndefined();
  });

  it.each([
    ['unknown-handle 5', 'there is no account unknown-handle'],
    ['', 'takes an account'],
    ['ada', 'takes an account'],
    ['ada -5', 'whole number'],
    ['ada 0', 'whole number'],
    ['ada 1.5', 'whole number'],
    ['ada 5 --key=', 'takes an account'],
  ])('explains what is wrong with "%s"', async (line, word) => {
    expect(await runCommand(`grant-credits ${line}`)).toMatchObject({ code: 2, errors: expect.stringContaining(word) });
  });
});

describe('rotate-master', () => {
  const rings = { LENSFORGE_MASTER_KEY: `1:${masterKey},2:${randomBytes(32).toString('base64')}` };
  const keys = readMasterKeys(rings.LENSFORGE_MASTER_KEY);
  const [old, both, newest] = [keyRing(keys.slice(0, 1)), keyRing(keys), keyRing(keys.slice(1))];

  it('re-encrypts all secrets, resumes after an interruption, and names altered rows', async () => {
    const { id: accountId } = await anAccount(ctx);
    const mine = { ...ctx, actor: { ...ctx.actor, accountId } };
    const request = { url: 'https://receiver.example/hooks', events: ['run.completed' as const] };
    const made = await createEndpoint(mine, request, old);
    const { secret } = await rotateSecret(mine, { endpointId: made.id, overlapSeconds: 3600 }, old);
    const altered = await createEndpoint(mine, request, old);
    const { id: lensId } = await aLens(mine);
    const incoming = await createIncomingWebhook(mine, { workflowId: lensId, name: 'x' }, old);
    await openSigningKeys({ db: source.manager, ring: old, issuer: 'https://a.test/id' });
    const location = { table: 'partner_bundles', column: 'bundle', id: 'sandbox', owner: accountId };
    await source.query(
      `insert into partner_bundles (account_id, partner, external_id, bundle, expires_at) values ($1, 'sandbox', 'x', $2, now())`,
      [accountId, seal(old, location, 'a bundle')],
    );
    await source.query(
      'update webhook_endpoints set secret = set_byte(secret, 40, 1 - get_byte(secret, 40) % 2) where id = $1',
      [altered.id],
    );

    const interrupted = rewrapSealed(ctx, both, {
      batch: 1,
      onProgress: (count) => {
        if (count === 2) throw new Error('interrupted');
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    const again = await runCommand('rotate-master', rings);
    expect(again.code).toBe(1);
    expect(again.output.at(-2)).toMatch(/^\d+ values are encrypted with master key 2; 1 remain on older ones$/);
    expect(again.output.at(-1)).toContain(`webhook_endpoints.secret of ${altered.id}`);
    await source.query('delete from webhook_endpoints where id = $1', [altered.id]);
    expect(await runCommand('rotate-master', rings)).toMatchObject({
      code: 0,
      output: ['0 values are encrypted with master key 2; 0 remain on older ones'],
    });

    const [endpoint] = await source.query<[{ secret: Buffer; previous: Buffer }]>(
      'select secret, previous_secret as previous from webhook_endpoints where id = $1',
      [made.id],
    );
    expect(openSecret(newest, { id: made.id, accountId }, endpoint.secret)).toBe(secret);
    expect(openSecret(newest, { id: made.id, accountId }, endpoint.previous)).toBe(made.secret);
    const [hook] = await source.query<[{ secret: Buffer }]>('select secret from incoming_webhooks where id = $1', [
      incoming.id,
    ]);
    const hookLocation = { table: 'incoming_webhooks', column: 'secret', id: incoming.id, owner: accountId };
    expect(open(newest, hookLocation, hook.secret).toString()).toBe(incoming.secret);
    const [partner] = await source.query<[{ bundle: Buffer }]>('select bundle from partner_bundles');
    expect(open(newest, location, partner.bundle).toString()).toBe('a bundle');
    await openSigningKeys({ db: source.manager, ring: newest, issuer: 'https://a.test/id' });
    await signAuditHeads(ctx, { signer: (ctx) => currentAuditSigner(ctx, newest), everySeconds: 0 });
    const onlyNewest = { LENSFORGE_MASTER_KEY: rings.LENSFORGE_MASTER_KEY.replace(/^.*,/, '') };
    expect(await runCommand('verify-audit', onlyNewest)).toMatchObject({ code: 0 });
    expect(() => openSecret(old, { id: made.id, accountId }, endpoint.secret)).toThrow(/not in the key ring/);
  });
});

describe('a master key of another database', () => {
  it.each(['rotate-signing-keys', 'issue-service-role-key', 'rotate-master'])(
    'makes %s fail with the setting and the version',
    async (command) => {
      const wrong = randomBytes(32).toString('base64');
      const { code, output, errors } = await runCommand(command, { LENSFORGE_MASTER_KEY: wrong });
      expect({ code, output }).toEqual({ code: 1, output: [] });
      expect(errors).toMatch(/^LENSFORGE_MASTER_KEY: version 1 is not the key that operate recorded/);
      expect(errors).not.toContain(wrong);
    },
  );

  it('is listed by master-keys, and forget-unused removes unused versions', async () => {
    const { code, output } = await runCommand('master-keys');
    expect({ code, output }).toEqual({
      code: 0,
      output: [
        expect.stringMatching(/^LENSFORGE_MASTER_KEY version 1: seals 0 stored values, recorded by operate at 20/),
        expect.stringMatching(/^LENSFORGE_MASTER_KEY version 2: seals \d+ stored values, recorded by operate at 20/),
      ],
    });
    const forgotten = await runCommand('master-keys forget-unused');
    expect(forgotten.output).toEqual(['forgot LENSFORGE_MASTER_KEY version 1', output[1]]);
    expect(await runCommand('master-keys all')).toMatchObject({ code: 2 });
  });
});

describe('rotate-byok-master', () => {
  it('explains missing settings, and re-encrypts all keys', async () => {
    const [old, next] = [aMasterKey(1), aMasterKey(2)];
    expect(await runCommand('rotate-byok-master')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('is required'),
    });
    expect(await runCommand('rotate-byok-master', { LENSFORGE_BYOK_MASTER_KEY: 'short' })).toMatchObject({ code: 2 });
    await aKeyPair(ctx, keyRing([old]));
    const { id: accountId } = await anAccount(ctx);
    const mine = aContext(source.manager, { accountId });
    const { id: keyId } = await createByokKey(mine, {
      provider: 'openai',
      label: 'x',
      secret: 'sk-to-be-encrypted-again',
    });
    const file = join(await mkdtemp(join(tmpdir(), 'operate-')), 'byok.keys');
    await writeFile(file, `1:${old.key},2:${next.key}\n`);
    const { code, output } = await runCommand('rotate-byok-master', { LENSFORGE_BYOK_MASTER_KEY_FILE: file });
    expect(code).toBe(0);
    expect(output.at(-1)).toBe(
      '1 BYOK keys are encrypted for key pair 2, which master key 2 encrypts; 0 remain on older ones',
    );
    const opened = await new ByokOpener(keyRing([next])).open(source.manager, { keyId, accountId });
    expect(opened?.secret.toString()).toBe('sk-to-be-encrypted-again');
  });
});

describe('models', () => {
  const written = async (content: string): Promise<string> => {
    const file = join(await mkdtemp(join(tmpdir(), 'models-')), 'models.json');
    await writeFile(file, content);
    return file;
  };
  const lineOf = async (name: string) =>
    (await runCommand('models list')).output.find((line) => line.startsWith(`${name}\t`))?.split('\t');

  it('lists the catalogue with usable models', async () => {
    expect(await lineOf('offline/echo')).toContain('usable');
    expect(await lineOf('openai/gpt-6-sol')).toContain('no key');
  });

  it('imports a file that adds and changes models', async () => {
    const models = [
      {
        provider: 'openai-compatible',
        key: 'llama-4',
        creditsPer1kInput: 0,
        creditsPer1kOutput: 0,
        fallbacks: ['offline/echo'],
      },
      { provider: 'openai', key: 'gpt-6-sol', enabled: false },
    ];
    const { code, output } = await runCommand(`models import ${await written(JSON.stringify({ models }))}`);
    expect({ code, output: output[0] }).toEqual({
      code: 0,
      output: expect.stringContaining('1 models added, 1 changed'),
    });
    expect(await lineOf('openai-compatible/llama-4')).toContain('then offline/echo');
    expect(await lineOf('openai/gpt-6-sol')).toContain('off');
  });

  it.each([
    ['{', 'JSON'],
    ['{"models":[]}', 'models'],
    ['{"models":[{"provider":"acme","key":"x","price":1}]}', 'price'],
    ['{"models":[{"provider":"acme","key":"x"}]}', 'acme/x: is new'],
    ['{"gpt":{"price":1}}', 'neither "models" nor the prices'],
    ['[]', 'neither "models" nor the prices'],
  ])('explains what is wrong with %s', async (content, fault) => {
    const { code, errors } = await runCommand(`models import ${await written(content)}`);
    expect(code).toBe(2);
    expect(errors).toContain(fault);
  });

  it('imports the price list of LiteLLM, and says what it cannot map', async () => {
    const list = {
      sample_spec: { litellm_provider: 'one of the providers' },
      'gpt-5.4-mini': {
        litellm_provider: 'openai',
        mode: 'chat',
        input_cost_per_token: 7.5e-7,
        input_cost_per_token_above_272k_tokens: 1.5e-6,
        output_cost_per_token: 4.5e-6,
        cache_read_input_token_cost: 7.5e-8,
        output_cost_per_image: 0.04,
      },
      'gemini/gemini-9-flash': {
        litellm_provider: 'gemini',
        mode: 'chat',
        input_cost_per_token: 1e-7,
        output_cost_per_token: 4e-7,
        max_input_tokens: 1_000_000,
        max_output_tokens: 8192,
        supports_vision: true,
        supports_function_calling: true,
      },
      'azure/gpt-5.4-mini': {
        litellm_provider: 'azure',
        mode: 'chat',
        input_cost_per_token: 1,
        output_cost_per_token: 1,
      },
      'dall-e-3': { litellm_provider: 'openai', mode: 'image_generation', input_cost_per_token: 1 },
    };
    const file = await written(JSON.stringify(list));
    const { code, output, errors } = await runCommand(`models import ${file} --add=google/gemini-9*`);
    expect([code, output.at(-1)]).toEqual([0, expect.stringContaining('1 models added, 1 changed')]);
    expect(errors).toContain('openai/gpt-5.4-mini: not mapped: output_cost_per_image');
    expect(errors).toContain('anthropic/claude-haiku-4-5 is not in the list and keeps its prices');
    expect(errors).toContain('2 entries of the list are of other providers');
    expect(await lineOf('openai/gpt-5.4-mini')).toContain('1.5/4.5 credits per 1k (cached 0.075)');
    const added = await lineOf('google/gemini-9-flash');
    expect(added).toEqual(
      expect.arrayContaining(['0.1/0.4 credits per 1k', 'context 1000000', 'answer 8192', 'stream,images,tools']),
    );
  });

  it('imports the data of genai-prices: from a file, or that of the installed package', async () => {
    const prices = (price: number) => ({ input_mtok: { base: price, tiers: [{ start: 272_000, price: 2 * price }] } });
    const file = [
      {
        id: 'openai',
        models: [
          {
            id: 'gpt-6-sol',
            prices: [
              { prices: { ...prices(1), output_mtok: 1 } },
              {
                constraint: { start_date: '2026-02-01' },
                prices: { ...prices(3), output_mtok: 12, web_searches_kcount: 10 },
              },
              { constraint: { start_date: '2999-01-01' }, prices: { ...prices(9), output_mtok: 9 } },
            ],
          },
          {
            id: 'gpt-4.1-mini-alias',
            match: { or: [{ equals: 'gpt-4.1-mini' }] },
            prices: { input_mtok: 0.5, output_mtok: 2 },
          },
        ],
      },
      { id: 'mistral', models: [{ id: 'large', prices: { input_mtok: 1, output_mtok: 1 } }] },
    ];
    const { code, errors } = await runCommand(
      `models import ${await written(JSON.stringify(file))} --credits-per-dollar=2000`,
    );
    expect([code, errors]).toEqual([0, expect.stringContaining('openai/gpt-6-sol: not mapped: web_searches_kcount')]);
    expect(await lineOf('openai/gpt-6-sol')).toContain('12/24 credits per 1k');
    expect(await lineOf('openai/gpt-4.1-mini')).toContain('1/4 credits per 1k');
    expect(await runCommand('models import genai-prices')).toMatchObject({ code: 0 });
    expect(await lineOf('anthropic/claude-haiku-4-5')).toContain('1/5 credits per 1k (cached 0.1, cache write 1.25)');
    expect(await lineOf('openai/gpt-4.1-mini')).toContain('0.4/1.6 credits per 1k (cached 0.1)');
  });

  it('explains its arguments', async () => {
    expect(await runCommand('models import')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('models list'),
    });
    expect(await runCommand('models import /nowhere.json')).toMatchObject({ code: 2 });
    expect(await runCommand('models import genai-prices --credits-per-dollar=none')).toMatchObject({ code: 2 });
    expect(await runCommand('models import genai-prices --all=1')).toMatchObject({ code: 2 });
  });
});
