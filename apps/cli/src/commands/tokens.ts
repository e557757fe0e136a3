import type { Command } from '../command.js';
import { limitOption } from '../command.js';
import { time } from '../layout.js';
import { needed, numberIn } from '../session.js';

const create: Command = {
  name: 'tokens create',
  summary: 'Create an organisation token of a community; its value is shown once',
  options: {
    community: { value: 'id', summary: 'the community that the token acts for' },
    label: { value: 'text', summary: 'a name for lists' },
    scopes: { value: 'list', summary: 'the scopes, separated by commas (lenses:read)' },
    ttl: { value: 'days', summary: 'the days until it expires, 30 to 365 (90)' },
    'credit-limit': { value: 'credits', summary: 'the maximum credits that its runs may cost' },
  },
  async run(session, input) {
    const creditLimit = numberIn(input, 'credit-limit');
    const ttl = numberIn(input, 'ttl', { min: 30, max: 365 });
    const scopes = input.text('scopes');
    const token = await session.client.tokens.create(
      {
        communityId: needed(input, 'community', '<id>'),
        label: needed(input, 'label', 'CI'),
        ...(scopes !== undefined && { scopes }),
        ...(ttl !== undefined && { ttl }),
        ...(creditLimit !== undefined && { creditLimit }),
      },
      session.call,
    );
    session.terminal.message(
      `Store the value: it is not shown again. The token ${token.id} expires ${time(token.expiresAt)}`,
    );
    session.show(token, () => token.value);
  },
};

const list: Command = {
  name: 'tokens ls',
  summary: 'List tokens of the account and of its communities',
  options: {
    ...limitOption,
    kind: { value: 'kind', oneOf: ['mcp', 'developer', 'organisation', 'service'], summary: 'tokens of one kind' },
  },
  async run(session, input) {
    const kind = input.text('kind') as 'developer' | undefined;
    await session.showList(
      (limit) => session.client.tokens.list({ limit, kind }, session.call),
      [
        ['id', ({ id }) => id],
        ['kind', ({ kind: each }) => each],
        ['label', ({ label }) => label],
        ['scopes', ({ scopes }) => scopes.join(',')],
        ['expires', ({ expiresAt }) => time(expiresAt)],
        ['last used', ({ lastUsedAt }) => time(lastUsedAt)],
      ],
      'There are no tokens',
    );
  },
};

const revoke: Command = {
  name: 'tokens revoke',
  summary: 'Revoke a token at once',
  args: ['id'],
  async run(session, input) {
    const token = await session.client.tokens.revoke(input.arg('id'), session.call);
    session.show(token, () => `Revoked ${token.label} (${token.id})`);
  },
};

export const tokenCommands: readonly Command[] = [create, list, revoke];
