import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readEnvironment, settingWarnings } from '@lensforge/edge';
import { OAuthEnvironment } from './environment.js';

const read = (changes: Record<string, string> = {}): OAuthEnvironment =>
  readEnvironment(OAuthEnvironment, {
    PORT: '4200',
    DATABASE_URL: 'postgres://l:aWvDbOa7@localhost/l',
    REDIS_URL: 'redis://localhost',
    LENSFORGE_MASTER_KEY: randomBytes(32).toString('base64'),
    ...changes,
  });

describe('the environment of the oauth service', () => {
  it('has the client for local development outside of production by default', () => {
    const exists = (changes: Record<string, string>) => read(changes).localdevClient;
    expect(exists({})).toBe(true);
    expect(exists({ NODE_ENV: 'test' })).toBe(true);
    expect(exists({ NODE_ENV: 'production' })).toBe(false);
    expect(exists({ NODE_ENV: 'production', LENSFORGE_OAUTH_LOCALDEV_CLIENT: 'true' })).toBe(true);
    expect(exists({ LENSFORGE_OAUTH_LOCALDEV_CLIENT: 'false' })).toBe(false);
  });

  it('lists the redirect URIs of the console and refuses invalid ones', () => {
    const uris = 'https://console.example.com/callback, http://localhost:5173/callback';
    expect(read({ LENSFORGE_CONSOLE_REDIRECT_URIS: uris }).consoleRedirectUris).toEqual(uris.split(', '));
    expect(read().consoleRedirectUris).toEqual([]);
    expect(() => read({ LENSFORGE_CONSOLE_REDIRECT_URIS: 'http://console.example.com/' })).toThrow(
      'LENSFORGE_CONSOLE_REDIRECT_URIS is "http://console.example.com/": must use https',
    );
  });

  it('allows app schemes by name and refuses schemes that run code or read files', () => {
    const allowed = (schemes: string) => read({ LENSFORGE_OAUTH_ALLOWED_SCHEMES: schemes }).allowedSchemes;
    expect(read().allowedSchemes).toContain('cursor');
    expect(allowed('default,myapp,-cursor')).toEqual(expect.arrayContaining(['vscode', 'myapp']));
    expect(allowed('default,myapp,-cursor')).not.toContain('cursor');
    expect(allowed('cursor, vscode,vscode-insiders,')).toEqual(['cursor', 'vscode', 'vscode-insiders']);
    for (const scheme of ['javascript', 'data', 'file', 'ms-word', 'https', 'Cursor', 'cursor:', '-myapp']) {
      expect(() => allowed(`zed,${scheme}`)).toThrow('LENSFORGE_OAUTH_ALLOWED_SCHEMES is ');
    }
    const uris = 'myapp://console/callback';
    expect(() => read({ LENSFORGE_CONSOLE_REDIRECT_URIS: uris })).toThrow('must not use the scheme myapp:');
    const both = { LENSFORGE_CONSOLE_REDIRECT_URIS: uris, LENSFORGE_OAUTH_ALLOWED_SCHEMES: 'myapp' };
    expect(read(both).consoleRedirectUris).toEqual([uris]);
  });

  it('starts in production without strict codes, with a warning that names the risk', () => {
    const production = { NODE_ENV: 'production', LENSFORGE_PUBLIC_OAUTH_URL: 'https://id.example.com' };
    const warningsOf = (changes: Record<string, string>) => settingWarnings(read({ ...production, ...changes }), {});
    expect(warningsOf({})).toEqual([
      expect.stringMatching(/^LENSFORGE_OAUTH_STRICT_CODES is not true, .*accepts lasting-codes\)$/),
    ]);
    expect(warningsOf({ LENSFORGE_OAUTH_STRICT_CODES: 'true' })).toEqual([]);
    expect(warningsOf({ NODE_ENV: 'development' })).toEqual([]);
  });

  it('requires a valid master key', () => {
    expect(() => read({ LENSFORGE_MASTER_KEY: 'short' })).toThrow('LENSFORGE_MASTER_KEY is not usable');
  });
});
