import { open } from 'node:fs/promises';
import type { shapes } from '@lensforge/sdk';
import { type Command, limitOption } from '../command.js';
import { CommandFault, UsageFault, getSystemCode } from '../faults.js';
import { fields, table, time } from '../layout.js';
import { needed, secretFromStdin } from '../session.js';

const providers = ['openai', 'anthropic', 'google', 'openai-compatible'] as const;

const keys: Command = {
  name: 'keys ls',
  summary: 'List your BYOK keys',
  options: limitOption,
  async run(session) {
    await session.showList(
      (limit) => session.client.byokKeys.list({ limit }, session.call),
      [
        ['id', ({ id }) => id],
        ['provider', ({ provider }) => provider],
        ['label', ({ label }) => label],
        ['key', ({ last4 }) => `…${last4}`],
        ['test', ({ test }) => test?.status],
        ['last used', ({ lastUsedAt }) => time(lastUsedAt)],
      ],
      'You have no BYOK keys',
    );
  },
};

const addKey: Command = {
  name: 'keys add',
  summary: 'Store a key of a provider; the key is read from stdin',
  args: ['provider'],
  options: {
    label: { value: 'text', summary: 'a name for lists' },
    'base-url': { value: 'url', summary: 'the address of your own endpoint, for openai-compatible' },
    model: { value: 'key', repeated: true, summary: 'a model of your own endpoint; can be repeated' },
  },
  async run(session, input) {
    const provider = providers.find((each) => each === input.arg('provider'));
    if (!provider) throw new UsageFault(`The provider is one of ${providers.join(', ')}`);
    const label = needed(input, 'label', 'work');
    const { client } = session;
    const baseUrl = input.text('base-url');
    const models = input.list('model').map((key) => ({ key })) as shapes.NewByokKeyRequest['models'];
    const secret = await secretFromStdin(session, 'key');
    const body = { provider, label, secret, ...(baseUrl !== undefined && { baseUrl, models }) };
    const key = await client.byokKeys.create(body, session.call);
    session.show(key, () => key.id);
  },
};

const testKey: Command = {
  name: 'keys test',
  summary: 'Test a key with its provider',
  args: ['id'],
  async run(session, input) {
    const key = await session.client.byokKeys.test(input.arg('id'), session.call);
    session.show(key, () => fields({ status: key.test?.status, message: key.test?.message ?? undefined }));
    if (key.test?.status === 'failed')
      throw new CommandFault('The provider refused the key', 'Store another one: keys rotate');
  },
};

const rotateKey: Command = {
  name: 'keys rotate',
  summary: 'Replace the secret of a key, which is read from stdin',
  args: ['id'],
  async run(session, input) {
    const { client } = session;
    const secret = await secretFromStdin(session, 'key');
    const key = await client.byokKeys.rotate(input.arg('id'), { secret }, session.call);
    session.show(key, () => `${key.id} has a new secret, which ends in ${key.last4}`);
  },
};

const revokeKey: Command = {
  name: 'keys revoke',
  summary: 'Delete a key at once',
  args: ['id'],
  async run(session, input) {
    const key = await session.client.byokKeys.revoke(input.arg('id'), session.call);
    session.show(key, () => `Revoked ${key.label} (${key.id})`);
  },
};

const credits: Command = {
  name: 'credits',
  summary: 'Show the balance and its last entries',
  async run(session) {
    const found = await session.client.credits.get({ limit: 20 }, session.call);
    session.show(found, () =>
      [
        fields({ available: found.available, held: found.held }),
        '',
        table(
          [
            ['time', ({ createdAt }) => time(createdAt)],
            ['kind', ({ kind }) => kind],
            ['amount', ({ amount }) => amount],
            ['run', ({ runId }) => runId],
            ['note', ({ note }) => note],
          ],
          found.entries,
        ),
      ].join('\n'),
    );
  },
};

const kinds = ['lens', 'workflow'];

const exportCommand: Command = {
  name: 'export',
  summary: 'Write a lens or workflow with all its versions as a document',
  args: ['kind', 'id'],
  options: { output: { value: 'path', short: 'o', summary: 'the file; stdout when absent' } },
  async run(session, input) {
    const kind = input.arg('kind');
    if (!kinds.includes(kind)) throw new UsageFault('export takes lens or workflow');
    const { lenses, workflows } = session.client;
    const id = input.arg('id');
    const document = kind === 'lens' ? await lenses.export(id, session.call) : await workflows.export(id, session.call);
    const output = input.text('output');
    if (output === undefined) {
      session.show(document, () => JSON.stringify(document, null, 2));
      return;
    }
    await session.writeText(output, `${JSON.stringify(document, null, 2)}\n`);
    session.terminal.message(`Wrote ${output}`);
  },
};

const importCommand: Command = {
  name: 'import',
  summary: 'Create a lens or workflow from an exported document',
  args: ['file'],
  async run(session, input) {
    const document = await session.readJson(input.arg('file'));
    const { lenses, workflows } = session.client;
    const { format } = document;
    if (format !== 'lensforge.lens' && format !== 'lensforge.workflow')
      throw new UsageFault('The document is no export of a lens or workflow', 'Export one with: lensforge export');
    const made =
      format === 'lensforge.lens'
        ? await lenses.import(document as unknown as shapes.LensFile, session.call)
        : await workflows.import(document as unknown as shapes.WorkflowFile, session.call);
    session.show(made, () => made.id);
  },
};

const exportAccount: Command = {
  name: 'account export',
  summary: 'Write what the platform stores about you, one JSON object a line; needs: login --web',
  options: { output: { value: 'path', short: 'o', summary: 'the file; stdout when absent' } },
  async run(session, input) {
    const path = input.text('output');
    const lines = session.client.me.export(session.call);
    if (path === undefined) {
      for await (const line of lines) session.terminal.data(`${JSON.stringify(line)}\n`);
      return;
    }
    const file = await open(path, 'w', 0o600).catch((error: unknown) => {
      throw new UsageFault(`${path} cannot be written (${getSystemCode(error)})`, 'Give another path');
    });
    try {
      for await (const line of lines) await file.write(`${JSON.stringify(line)}\n`);
    } finally {
      await file.close();
    }
    session.terminal.message(`Wrote ${path}`);
  },
};

const closeAccount: Command = {
  name: 'account close',
  summary: 'Close your account permanently; your handle confirms it; needs: login --web',
  args: ['handle'],
  async run(session, input) {
    const handle = input.arg('handle').replace(/^@/, '');
    const reply = await session.client.me.close({ handle }, session.call);
    // The credential of the environment may be that of another account than the stored one.
    if (!session.environmentToken) await session.store.change(session.profileName, { credential: undefined });
    session.show(reply, () => `Closed the account @${handle}`);
  },
};

export const accountCommands: readonly Command[] = [
  keys,
  addKey,
  testKey,
  rotateKey,
  revokeKey,
  credits,
  exportCommand,
  importCommand,
  exportAccount,
  closeAccount,
];
