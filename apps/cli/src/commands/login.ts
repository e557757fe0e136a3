import { hostname } from 'node:os';
import type { shapes } from '@lensforge/sdk';
import type { Command } from '../command.js';
import { CommandFault } from '../faults.js';
import { fields, table, time } from '../layout.js';
import type { Credential } from '../profile-store.js';
import { type Session, numberIn, secretFromStdin } from '../session.js';

const login: Command = {
  name: 'login',
  summary: 'Log in: by a code that you confirm in any browser',
  options: {
    web: { summary: 'log in with a browser on this computer, for a session with all rights' },
    'with-token': { summary: 'read a token from stdin' },
    label: { value: 'text', summary: 'the name of the token in lists' },
    ttl: { value: 'days', summary: 'the days until the token expires, 1 to 90' },
    scopes: { value: 'list', summary: 'the scopes of the token, separated by commas' },
    'auth-url': { value: 'url', summary: 'the address of the sign-in (LENSFORGE_AUTH_URL)' },
  },
  async run(session, input) {
    numberIn(input, 'ttl', { min: 1, max: 90 });
    const credential = input.flag('with-token')
      ? ({ kind: 'pasted', accessToken: await secretFromStdin(session, 'token') } as const)
      : input.flag('web')
        ? await withBrowser(session)
        : await withDevice(session, {
            label: input.text('label') ?? `lensforge on ${hostname()}`,
            days: input.text('ttl'),
            scopes: input.text('scopes')?.replaceAll(/[, ]+/g, ' '),
          });
    const me = await readMe(session, credential);
    const { apiUrl, authUrl, store, profileName, terminal } = session;
    await store.change(profileName, { apiUrl, authUrl, credential });
    session.show(me, () => `Logged in as ${describeAccount(me)} (profile ${profileName})`);
    if (session.environmentToken) terminal.message('LENSFORGE_API_KEY is set, and other commands use it instead');
  },
};

function withDevice(session: Session, request: Parameters<Session['signIn']['withDevice']>[0]): Promise<Credential> {
  return session.signIn.withDevice(request, ({ url, code }) => {
    session.terminal.message(`Open ${url}\nand confirm the code ${code}. Waiting …`);
  });
}

function withBrowser(session: Session): Promise<Credential> {
  return session.signIn.withBrowser((url) => {
    session.terminal.message(`Opening ${url}\nWaiting for the browser …`);
    session.host.openBrowser(url);
  });
}

/** Tests a credential before it is stored. */
async function readMe(session: Session, { accessToken }: Credential): Promise<shapes.Me> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return session.clientWithout().me.get({ ...session.call, headers });
}

const describeAccount = ({ account, email }: shapes.Me): string =>
  account ? `@${account.handle}` : (email ?? 'an account without a handle');

const logout: Command = {
  name: 'logout',
  summary: 'Revoke the stored credential and delete it',
  async run(session) {
    const { credential } = session.profile;
    const { profileName, terminal, store } = session;
    if (!credential) {
      terminal.message(`The profile ${profileName} has no credential`);
      return;
    }
    // A pasted token may be in use elsewhere.
    const revoked = credential.kind !== 'pasted' && (await revoke(session, credential));
    await store.change(profileName, { credential: undefined });
    session.show({ profile: profileName, revoked }, () => `Logged out of the profile ${profileName}`);
  },
};

async function revoke(session: Session, credential: Credential): Promise<boolean> {
  try {
    await session.signIn.revoke(credential);
    return true;
  } catch (error) {
    if (!(error instanceof CommandFault)) throw error;
    session.terminal.message(`The token was not revoked: ${error.message}. It ends when it expires`);
    return false;
  }
}

const whoami: Command = {
  name: 'whoami',
  summary: 'Show the account and the credential',
  async run(session) {
    const me = await session.client.me.get(session.call);
    session.show(me, () =>
      fields({
        account: describeAccount(me),
        name: me.account?.displayName,
        'account id': me.account?.id,
        credential: me.credential.kind,
        expires: me.credential.expiresAt ? time(me.credential.expiresAt) : undefined,
        scopes: me.credential.scopes.join(', '),
        budget: me.budget && JSON.stringify(me.budget),
        profile: session.environmentToken ? 'LENSFORGE_API_KEY' : session.profileName,
        api: session.apiUrl,
      }),
    );
  },
};

const profileList: Command = {
  name: 'profile ls',
  summary: 'List profiles',
  async run(session) {
    const { profiles } = await session.store.read();
    const items = Object.entries(profiles).map(([name, { apiUrl, credential }]) => ({
      name,
      apiUrl: apiUrl ?? null,
      credential: credential?.kind ?? null,
      current: name === session.profileName,
    }));
    const mark = ({ name, current }: (typeof items)[number]): string => (current ? `${name} *` : name);
    session.show(items, () =>
      table(
        [
          ['profile', mark],
          ['api', ({ apiUrl }) => apiUrl],
          ['credential', ({ credential }) => credential],
        ],
        items,
      ),
    );
  },
};

const profileUse: Command = {
  name: 'profile use',
  summary: 'Use another profile from now on',
  args: ['name'],
  async run(session, input) {
    const name = input.arg('name');
    const { profiles } = await session.store.read();
    if (!Object.hasOwn(profiles, name)) {
      const advice = `Create it with: lensforge login --profile ${name}`;
      throw new CommandFault(`There is no profile ${name}`, advice);
    }
    await session.store.use(name);
    session.show({ profile: name }, () => `Using the profile ${name}`);
  },
};

export const loginCommands: readonly Command[] = [login, logout, whoami, profileList, profileUse];
