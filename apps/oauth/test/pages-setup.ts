import { randomBytes } from 'node:crypto';
import { type Clock, type Context, newId, platformActor } from '@lensforge/core';
import { type Service, type ServiceLogger, createLogger, startService } from '@lensforge/edge';
import { type User, chooseHandle, confirmSignUp, registerClient, startSignUp } from '@lensforge/identity';
import { freshDatabase, serviceSettings } from '@lensforge/testing';
import { oauth } from '../src/service.js';
import { FormBrowser } from './form-browser.js';

export const password = 'a long and honest sentence';
export const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const callback = 'https://tool.example/cb';

export interface PagesSetup {
  service: Service;
  ctx: Context;
  visitor(options?: { address?: string; cookies?: boolean; host?: string }): FormBrowser;
  /** A user with a confirmed address, and with a handle unless it is null. */
  person(handle?: string | null): Promise<{ user: User; email: string; handle: string }>;
  client(name?: string, redirectUris?: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export async function openPagesSetup({
  environment = {},
  logger = createLogger({ service: 'oauth', level: 'silent' }),
  clock,
}: { environment?: Record<string, string>; logger?: ServiceLogger; clock?: Clock } = {}): Promise<PagesSetup> {
  const database = await freshDatabase();
  const service = await startService(oauth, {
    logger,
    ...(clock && { clock }),
    environment: {
      ...serviceSettings(database.url),
      LENSFORGE_MASTER_KEY: randomBytes(32).toString('base64'),
      LENSFORGE_RATE_SIGN_IN_PER_MINUTE: '100000',
      ...environment,
    },
  });
  const { database: source, now } = service.platform;
  const ctx: Context = { actor: platformActor, db: source.manager, now, requestId: newId() };
  let people = 0;
  return {
    service,
    ctx,
    visitor: (options) => new FormBrowser(service.url, options),
    person: async (handle) => {
      people += 1;
      const email = `person${people}@mail.example`;
      const started = await startSignUp(ctx, { email, password });
      const user = await confirmSignUp(ctx, started?.token ?? '');
      const name = handle ?? `person-${people}`;
      if (handle !== null) await chooseHandle(ctx, { userId: user.id, handle: name, displayName: `Person ${people}` });
      return { user, email, handle: name };
    },
    client: async (name = 'A tool', redirectUris = [callback]) =>
      (await registerClient(ctx, { name, redirectUris })).id,
    close: async () => {
      await service.stop();
      await database.drop();
    },
  };
}

/** The URL of the authorization page with the parameters of a client; undefined omits a parameter. */
export function authorizeUrl(
  clientId: string,
  more: Readonly<Record<string, string | undefined>> = {},
  path = '/oauth/authorize',
): string {
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'xyz',
    ...more,
  };
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${path}?${query.join('&')}`;
}
