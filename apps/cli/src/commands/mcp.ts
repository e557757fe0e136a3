import { setTimeout as pause } from 'node:timers/promises';
import type { shapes } from '@lensforge/sdk';
import { openCallback } from '../browser-callback.js';
import { type Command, limitOption } from '../command.js';
import { CommandFault, UsageFault } from '../faults.js';
import { fields } from '../layout.js';
import { serveMcp } from '../serve-mcp.js';
import type { Session } from '../session.js';

const pollMs = 1000;
const advice = 'Start again with: lensforge mcp authorize <id>';

const serve: Command = {
  name: 'mcp',
  summary: 'Serve the tools of the platform on stdin and stdout, for an MCP client that starts this program',
  options: { 'mcp-url': { value: 'url', summary: 'the address of the tool-call server (LENSFORGE_MCP_URL)' } },
  async run(session) {
    await session.bearer();
    const { mcpUrl, terminal, host } = session;
    if (host.stdin.isTTY) terminal.message(`Waiting for messages of an MCP client on stdin, for ${mcpUrl}`);
    await serveMcp(session);
  },
};

const list: Command = {
  name: 'mcp ls',
  summary: 'List your external MCP servers',
  options: limitOption,
  async run(session) {
    await session.showList(
      (limit) => session.client.mcpServers.listMcpServers({ limit }, session.call),
      [
        ['id', ({ id }) => id],
        ['name', ({ name }) => name],
        ['address', ({ url }) => url],
        ['tools', ({ toolCount }) => toolCount],
        ['authorization', ({ authorization }) => authorization?.status],
        ['changed to', ({ authorizationServer }) => authorizationServer?.changedTo?.tokenUrl],
      ],
      'There are no MCP servers',
    );
  },
};

const authorize: Command = {
  name: 'mcp authorize',
  summary: 'Connect an external MCP server with your consent in a browser',
  args: ['id'],
  options: {
    paste: { summary: 'read the address to which the browser returned from stdin, for a browser on another computer' },
    scope: { value: 'list', summary: 'the scopes, separated by commas' },
    client: { value: 'id', summary: 'the id of a public client that you registered' },
  },
  async run(session, input) {
    const { client, call, signal, terminal } = session;
    const id = input.arg('id');
    const [clientId, scope] = [input.text('client'), input.text('scope')?.replaceAll(/[, ]+/g, ' ')];
    const texts = {
      done: 'The browser has returned. You can close this page.',
      refused: 'The authorization was refused.',
      advice,
    };
    const callback = await openCallback(texts, signal);
    try {
      const order = {
        redirectUri: callback.address,
        ...(clientId !== undefined && { clientId }),
        ...(scope !== undefined && { scope }),
      };
      const begun = await settled(session, await client.mcpServers.authorizeMcpServer(id, order, call));
      const url = addressIn(begun);
      const state = url.searchParams.get('state') ?? '';
      const returned = callback.returned(state);
      terminal.message(`Open ${url.href}`);
      if (!input.flag('paste')) {
        terminal.message('Waiting for the browser …');
        session.host.openBrowser(url.href);
      }
      const answer = answerIn(input.flag('paste') ? await pasted(session) : await returned, state);
      const ended = await settled(session, await client.mcpServers.finishMcpAuthorization(id, answer, call));
      if (ended.authorization?.status !== 'authorized') throw toAuthorizationFault(ended);
      session.show(ended, () => fields({ id: ended.id, name: ended.name, authorization: 'authorized' }));
    } finally {
      callback.close();
    }
  },
};

/** Reads a server until a worker has done its part of the authorization. */
async function settled({ client, call, signal }: Session, first: shapes.McpServer): Promise<shapes.McpServer> {
  for (let server = first; ;) {
    const { status } = server.authorization ?? {};
    if (status !== 'preparing' && status !== 'exchanging') return server;
    await pause(pollMs, undefined, { signal });
    server = await client.mcpServers.getMcpServer(first.id, call);
  }
}

/** The address to open, which another server has chosen. */
function addressIn(server: shapes.McpServer): URL {
  const text = server.authorization?.authorizationUrl ?? '';
  if (server.authorization?.status !== 'waiting' || !URL.canParse(text)) throw toAuthorizationFault(server);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw toAuthorizationFault(server);
  return url;
}

const toAuthorizationFault = ({ name, authorization }: shapes.McpServer): CommandFault =>
  new CommandFault(`${name} was not authorized: ${authorization?.message ?? 'it was changed meanwhile'}`, advice);

async function pasted(session: Session): Promise<URLSearchParams> {
  session.terminal.message('Paste the address to which the browser returned, and end the input:');
  const text = (await session.readStdin()).trim();
  if (!URL.canParse(text)) throw new UsageFault('The input is not an address', 'Paste it whole, with http://');
  return new URL(text).searchParams;
}

function answerIn(given: URLSearchParams, state: string): shapes.McpAuthorizationAnswer {
  const [code, iss] = [given.get('code'), given.get('iss')];
  if (given.get('state') !== state)
    throw new CommandFault('The browser returned with the state of another authorization', advice);
  if (!code) throw new CommandFault(`The authorization was refused: ${given.get('error') ?? 'no code'}`, advice);
  return { state, code, ...(iss !== null && { iss }) };
}

const confirmIssuer: Command = {
  name: 'mcp confirm-issuer',
  summary: 'Confirm the changed authorization server of an external MCP server, or keep the former one',
  args: ['id'],
  options: { 'token-url': { value: 'url', summary: 'the token endpoint that gets the secrets from now on' } },
  async run(session, input) {
    const { client, call } = session;
    const { name, authorizationServer } = await client.mcpServers.getMcpServer(input.arg('id'), call);
    const changedTo = authorizationServer?.changedTo;
    if (!authorizationServer || !changedTo)
      throw new CommandFault(`The authorization server of ${name} has not changed`, 'There is nothing to confirm');
    const named = [changedTo, authorizationServer].find(({ tokenUrl }) => tokenUrl === input.text('token-url'));
    if (!named)
      throw new UsageFault(
        '--token-url must be the new or the former token endpoint',
        `New: ${changedTo.tokenUrl}, former: ${authorizationServer.tokenUrl}. Ask the operator of ${name} first`,
      );
    const { issuer, tokenUrl } = named;
    const server = await client.mcpServers.confirmMcpIssuer(input.arg('id'), { issuer, tokenUrl }, call);
    session.show(server, () => fields({ id: server.id, name: server.name, tokens: tokenUrl }));
  },
};

export const mcpCommands: readonly Command[] = [serve, list, authorize, confirmIssuer];
