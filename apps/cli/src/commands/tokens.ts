import { type Command, limitOption } from '../command.js';
import { time } from '../layout.js';
import { type Session, needed, numberIn } from '../session.js';

const create: Command = {
  name: 'tokens create',
  summary: 'Create an organisation token, or a connector with a service token; the value is shown once',
  options: {
    kind: { value: 'kind', oneOf: ['organisation', 'service'], summary: 'the kind (organisation)' },
    community: { value: 'id', summary: 'the community that the token acts for; a service token can also act for you' },
    label: { value: 'text', summary: 'a name for lists' },
    scopes: { value: 'list', summary: 'the scopes, separated by commas (lenses:read)' },
    ttl: { value: 'days', summary: 'the days until it expires: 30 to 365 (90), of a service token 90 to 365 (365)' },
    'credit-limit': { value: 'credits', summary: 'the maximum credits that its runs may cost' },
  },
  async run(session, input) {
    const isService = input.text('kind') === 'service';
    const creditLimit = numberIn(input, 'credit-limit');
    const ttl = numberIn(input, 'ttl', { min: isService ? 90 : 30, max: 365 });
    const label = needed(input, 'label', 'CI');
    const scopes = input.text('scopes');
    const limits = { ...(ttl !== undefined && { ttl }), ...(creditLimit !== undefined && { creditLimit }) };
    if (isService) {
      const communityId = input.text('community');
      const order = { name: label, scopes: scopes ?? 'lenses:read', ...(communityId !== undefined && { communityId }) };
      const connector = await session.client.connectors.create({ ...order, ...limits }, session.call);
      showNew(session, connector, { id: connector.token?.id, expiresAt: connector.token?.expiresAt });
    } else {
      const order = { communityId: needed(input, 'community', '<id>'), label, ...(scopes !== undefined && { scopes }) };
      const token = await session.client.tokens.create({ ...order, ...limits }, session.call);
      showNew(session, token, token);
    }
  },
};

function showNew(
  session: Session,
  made: { value: string },
  { id, expiresAt }: { id?: string | undefined; expiresAt?: string | null | undefined },
): void {
  session.terminal.message(`Store the value: it is not shown again. The token ${id} expires ${time(expiresAt)}`);
  session.show(made, () => made.value);
}

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
