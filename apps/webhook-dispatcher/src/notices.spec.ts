import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { createLogger } from '@lensforge/edge';
import { LabelWatch, StoredLabelProposal } from '@lensforge/releases';
import { aContext } from '@lensforge/testing';
import { disableEndpoint } from '@lensforge/webhooks';
import { anEndpoint } from '@lensforge/webhooks/testing';
import { Notices } from './notices.js';

let database: TestDatabase;
let source: TestDatabase['source'];
let server: Server;
const delivered: string[] = [];
const messages: string[] = [];
const refused = new Set<string>();
const exits: (() => unknown)[] = [];

/** A minimal SMTP server that accepts or refuses recipients. */
function serve(socket: Socket): void {
  socket.on('error', () => undefined).write('220 here\r\n');
  let to = '';
  let inMessage = false;
  createInterface({ input: socket }).on('line', (line) => {
    if (inMessage && line !== '.') {
      messages.push(line);
      return;
    }
    if (line === '.') delivered.push(to);
    inMessage = line === 'DATA';
    to = /^RCPT TO:<(.*)>/.exec(line)?.[1] ?? to;
    const isRefused = line.startsWith('RCPT') && refused.has(to);
    socket.write(isRefused ? '550 no\r\n' : inMessage ? '354 go on\r\n' : '250 well\r\n');
  });
}

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 4 });
  ({ source } = database);
  server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  for (const exit of exits) await exit();
  server.close();
  await database.close();
});

async function aDisabledEndpoint(): Promise<string> {
  const ctx = aContext(source.manager);
  const email = `${ctx.actor.accountId}@lensforge.test`;
  const { id } = await anEndpoint(ctx);
  const values = [email, ctx.actor.accountId];
  await source.query('insert into users (id, email, account_id) values (uuidv7(), $1, $2)', values);
  await disableEndpoint(ctx, id, 'gone');
  return email;
}

function aSender(): Notices {
  const { port } = server.address() as AddressInfo;
  const drain = { onExit: (_name: string, hook: () => unknown) => exits.push(hook) };
  const logger = createLogger({ service: 'x', level: 'silent' });
  return new Notices({ drain, logger } as unknown as ConstructorParameters<typeof Notices>[0], {
    url: `smtp://127.0.0.1:${port}`,
    from: 'platform@lensforge.test',
    consoleUrl: 'https://lensforge.test/console',
  });
}

it('Notices sends every owner one e-mail, also when the server refuses a recipient at first', async () => {
  const emails = [await aDisabledEndpoint(), await aDisabledEndpoint(), await aDisabledEndpoint()];
  const notices = aSender();
  const ctx = aContext(source.manager);
  const [first = ''] = emails;
  refused.add(first);
  while (delivered.length < 2) await notices.send(ctx);
  expect(await notices.send(ctx)).toBe(false);
  refused.clear();
  expect(await notices.send(ctx)).toBe(true);
  expect(await notices.send(ctx)).toBe(false);
  expect([...delivered].sort()).toEqual([...emails].sort());
  expect(delivered.at(-1)).toBe(first);
});

it('Notices sends the owners and admins of a community one e-mail about what is suspended', async () => {
  const ctx = aContext(source.manager);
  const community = newId();
  await source.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'community', $2, 'x')`, [
    community,
    `c-${community}`,
  ]);
  const emails: Record<string, string> = {};
  for (const role of ['owner', 'admin', 'member']) {
    const id = newId();
    emails[role] = `${id}@lensforge.test`;
    await source.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', $2, 'x')`, [
      id,
      `p-${id}`,
    ]);
    await source.query('insert into users (id, email, account_id) values (uuidv7(), $1, $2)', [emails[role], id]);
    await source.query('insert into memberships (community_id, account_id, role) values ($1, $2, $3)', [
      community,
      id,
      role,
    ]);
  }
  const items = [{ kind: 'schedule', id: newId(), name: 'nightly' }];
  await source.query(
    `insert into suspension_notices (id, account_id, reason, items) values ($1, $2, 'creator_removed', $3)`,
    [newId(), community, JSON.stringify(items)],
  );
  const before = delivered.length;
  const notices = aSender();
  refused.add(emails['admin'] ?? '');
  expect(await notices.send(ctx)).toBe(false);
  refused.clear();
  delivered.length = before;
  while (await notices.send(ctx));
  expect(delivered.slice(before).sort()).toEqual([emails['owner'], emails['admin']].sort());
});

it('Notices sends the owner of a label that returned by itself one e-mail, and keeps one that could not be sent', async () => {
  const ctx = aContext(source.manager);
  await anEndpoint(ctx);
  const email = `${ctx.actor.accountId}@lensforge.test`;
  await source.query('insert into users (id, email, account_id) values (uuidv7(), $1, $2)', [
    email,
    ctx.actor.accountId,
  ]);
  const returned = {
    versionId: newId(),
    version: '1.0.1',
    at: ctx.now().toISOString(),
    automatic: true,
    reason: 'Too slow',
  };
  const ids = { id: newId(), ownerId: newId(), versionId: newId(), accountId: ctx.actor.accountId };
  const times = { since: ctx.now(), lookedAt: ctx.now() };
  const open = { ...ids, ...times, kind: 'lens' as const, label: 'production', bounds: {} };
  await source.manager.insert(LabelWatch, { ...open, endedAt: ctx.now(), returned });
  await source.manager.insert(LabelWatch, { ...open, id: newId() });
  const before = delivered.length;
  const notices = aSender();
  refused.add(email);
  expect(await notices.send(ctx)).toBe(false);
  refused.clear();
  while (await notices.send(ctx));
  expect(delivered.slice(before)).toEqual([email]);
});

it('Notices sends the people whose approval a label needs one e-mail, with the address of the console', async () => {
  const ctx = aContext(source.manager);
  const people: string[] = [];
  for (const name of ['owner', 'one', 'two']) {
    const id = newId();
    people.push(id);
    await source.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', $2, 'x')`, [
      id,
      `p-${id}`,
    ]);
    await source.query('insert into users (id, email, account_id) values (uuidv7(), $1, $2)', [
      `${name}-${id}@lensforge.test`,
      id,
    ]);
  }
  const [accountId = '', one = '', two = ''] = people;
  const of = { kind: 'lens' as const, ownerId: newId(), accountId, label: 'production', approvers: people };
  const times = { proposedAt: ctx.now(), expiresAt: new Date(Date.now() + 60_000) };
  const move = { versionId: newId(), arms: null, evidence: null };
  await source.manager.insert(StoredLabelProposal, {
    id: newId(),
    ...of,
    ...times,
    move,
    proposedBy: two,
    status: 'pending',
  });
  const before = delivered.length;
  const notices = aSender();
  while (await notices.send(ctx));
  expect(delivered.slice(before)).toEqual([`one-${one}@lensforge.test`]);
  const letter = messages
    .map((line) => line.replace(/=$/, ''))
    .join('')
    .replaceAll('=3D', '=');
  expect(letter).toMatch(/https:\/\/lensforge\.test\/console\/approvals\?proposal=/);
  expect(await notices.send(ctx)).toBe(false);
});
