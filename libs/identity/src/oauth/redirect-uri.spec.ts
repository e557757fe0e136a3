import { describe, expect, it } from '@jest/globals';
import { faultOfRedirectUri, isOnThisComputer, matchRedirectUri, displayUri } from './redirect-uri.js';

const registered = 'https://app.example.com/oauth/callback?from=lensforge';
const client = {
  redirectUris: [
    registered,
    'http://127.0.0.1/callback',
    'http://localhost/callback',
    'http://[::1]/callback',
    'http://127.0.0.1:7777/fixed',
    'com.example.app:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ],
};

describe('matchRedirectUri', () => {
  it.each([
    registered,
    'http://127.0.0.1:49152/callback',
    'http://localhost:3000/callback',
    'http://[::1]:65535/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:7777/fixed',
    'com.example.app:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ])('accepts %s', (requested) => {
    expect(matchRedirectUri(client, requested)).toBe(requested);
  });

  it.each([
    undefined,
    '',
    ' ',
    `${registered}/`,
    `${registered} `,
    ` ${registered}`,
    `${registered}\n`,
    `${registered}#`,
    `${registered}#fragment`,
    `${registered}&x=1`,
    `${registered}&from=lensforge`,
    `${registered}%20`,
    `${registered},https://evil.example/`,
    'https://app.example.com/oauth/callback',
    'https://app.example.com/oauth/callback?',
    'https://app.example.com/oauth/callback?from=Lensforge',
    'https://app.example.com/oauth/callback?from=lensforge%00',
    'https://app.example.com/oauth/callback/?from=lensforge',
    'https://app.example.com/oauth/Callback?from=lensforge',
    'https://app.example.com/oauth//callback?from=lensforge',
    'https://app.example.com//oauth/callback?from=lensforge',
    'https://app.example.com/oauth/./callback?from=lensforge',
    'https://app.example.com/oauth/x/../callback?from=lensforge',
    'https://app.example.com/oauth/callback/..?from=lensforge',
    'https://app.example.com/oauth/callback/../../redirect?to=https://evil.example',
    'https://app.example.com/oauth%2Fcallback?from=lensforge',
    'https://app.example.com/oauth/%63allback?from=lensforge',
    'https://app.example.com/oauth/callback;x?from=lensforge',
    'https://app.example.com/oauth/callback%3Ffrom=lensforge',
    'https://app.example.com\\oauth\\callback?from=lensforge',
    'https://app.example.com/',
    'https://app.example.com',
    'https://app.example.com:443/oauth/callback?from=lensforge',
    'https://app.example.com:8443/oauth/callback?from=lensforge',
    'https://app.example.com:/oauth/callback?from=lensforge',
    'https://app.example.com./oauth/callback?from=lensforge',
    'https://APP.example.com/oauth/callback?from=lensforge',
    'HTTPS://app.example.com/oauth/callback?from=lensforge',
    'http://app.example.com/oauth/callback?from=lensforge',
    'ftp://app.example.com/oauth/callback?from=lensforge',
    '//app.example.com/oauth/callback?from=lensforge',
    '/oauth/callback?from=lensforge',
    'app.example.com/oauth/callback?from=lensforge',
    'https://example.com/oauth/callback?from=lensforge',
    'https://evil.app.example.com/oauth/callback?from=lensforge',
    'https://app.example.com.evil.example/oauth/callback?from=lensforge',
    'https://app-example.com/oauth/callback?from=lensforge',
    'https://user@app.example.com/oauth/callback?from=lensforge',
    'https://app.example.com@evil.example/oauth/callback?from=lensforge',
    'https://user:password@app.example.com/oauth/callback?from=lensforge',
    'https://evil.example/?x=https://app.example.com/oauth/callback?from=lensforge',
    'https://evil.example#https://app.example.com/oauth/callback?from=lensforge',
    'https://аpp.example.com/oauth/callback?from=lensforge',
    'https://app.example.com/oauth/callback\u200b?from=lensforge',
    'https://app.example.com/oauth/callback?from=lensforge\r\nLocation: https://evil.example',
    'javascript:alert(1)//https://app.example.com/oauth/callback?from=lensforge',
    'data:text/html,https://app.example.com/oauth/callback?from=lensforge',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:00080/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:80x/callback',
    'http://127.0.0.1:3000/callback/',
    'http://127.0.0.1:3000/Callback',
    'http://127.0.0.1:3000/callback?x=1',
    'http://127.0.0.1:3000/callback#x',
    'http://127.0.0.1:3000@evil.example/callback',
    'http://127.0.0.1:7778/fixed',
    'http://127.0.0.1/fixed',
    'http://127.1:3000/callback',
    'http://127.0.0.2:3000/callback',
    'http://0.0.0.0:3000/callback',
    'http://2130706433:3000/callback',
    'http://localhost.evil.example:3000/callback',
    'http://LOCALHOST:3000/callback',
    'http://[::ffff:127.0.0.1]:3000/callback',
    'https://127.0.0.1:3000/callback',
    'https://localhost/callback',
    'com.example.app:/callback/',
    'com.example.app:/callback?x=1',
    'com.example.app:callback',
    'COM.example.app:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback/evil',
    'cursor://evil/oauth/callback',
  ])('refuses %j', (requested) => {
    expect(matchRedirectUri(client, requested)).toBeUndefined();
  });
});

describe('isOnThisComputer', () => {
  it.each(['http://127.0.0.1:1/cb', 'http://localhost', 'https://localhost:3000/cb', 'https://[::1]/cb?x'])(
    'is true for %s',
    (uri) => expect(isOnThisComputer(uri)).toBe(true),
  );

  it.each([
    'https://localhost.evil.example/cb',
    'https://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'https://evil.example/?x=https://localhost/',
    'com.example.app:/cb',
    'http://127.0.0.2/cb',
  ])('is false for %s', (uri) => expect(isOnThisComputer(uri)).toBe(false));
});

describe('faultOfRedirectUri', () => {
  it.each([
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://xn--pp-eka.example.com:8443/a/b?c=d&e=%20',
    'http://localhost:3000/callback',
    'http://127.0.0.1/',
    'http://127.0.0.1:33418',
    'http://[::1]:8080/callback',
    'com.example.app:/callback',
    'COM.example.app:/callback',
    'com.example.app://callback',
    'com.googleusercontent.apps.1234-abc:/oauth2redirect',
    'xn--bcher-kva.example:/callback',
    'app.lensforge.test://done',
  ])('accepts %s', (uri) => {
    expect(faultOfRedirectUri(uri)).toBeUndefined();
  });

  it.each([
    'steam://run/1',
    'skype:x?call',
    'localhost:3000/callback',
    'app:/callback',
    'x-apple.systempreferences:com.apple.preference.security',
    'com..app:/callback',
    '1com.example:/callback',
    'com.example.:/callback',
    'com.-example:/callback',
    'com.example+app:/callback',
  ])('refuses %s, because its scheme is neither a reverse domain nor that of a well-known client', (uri) => {
    expect(faultOfRedirectUri(uri)).toMatch(/must (not use the scheme|be an absolute URI)/);
  });

  it('accepts a scheme without a dot only when the operator allows it', () => {
    const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback';
    expect(faultOfRedirectUri(cursor, ['zed', 'cursor'])).toBeUndefined();
    expect(faultOfRedirectUri(cursor.replace('cursor:', 'CURSOR:'), ['cursor'])).toBeUndefined();
    expect(faultOfRedirectUri(cursor, ['curso', 'cursors'])).toContain('must not use the scheme cursor:');
    expect(faultOfRedirectUri('myapp://callback')).toContain('must not use the scheme myapp:');
    expect(faultOfRedirectUri('myapp://callback', ['myapp'])).toBeUndefined();
  });

  it.each([
    ['', 'not be empty'],
    ['/callback', 'absolute'],
    ['callback', 'absolute'],
    ['https:', 'absolute'],
    ['https://', 'absolute'],
    ['https:///callback', 'host'],
    ['https:/app.example.com/callback', 'host'],
    ['http:app.example.com', 'host'],
    ['http://app.example.com/callback', 'use https'],
    ['http://127.0.0.1.evil.example/callback', 'use https'],
    ['http://localhost.evil.example/', 'use https'],
    ['http://10.0.0.1/', 'use https'],
    ['http://0.0.0.0/', 'use https'],
    ['https://app.example.com/#', 'no fragment'],
    ['https://app.example.com/#x', 'no fragment'],
    ['https://user@app.example.com/', 'no user or password'],
    ['https://user:secret@app.example.com/', 'no user or password'],
    ['https://@app.example.com/', 'no user or password'],
    ['https://*.example.com/callback', 'without wildcards'],
    ['https://app.example.com/*', 'without wildcards'],
    ['javascript:alert(1)', 'scheme javascript:'],
    ['JavaScript:alert(1)', 'scheme javascript:'],
    ['data:text/html,x', 'scheme data:'],
    ['file:///etc/passwd', 'scheme file:'],
    ['vbscript:x', 'scheme vbscript:'],
    ['blob:https://app.example.com/x', 'scheme blob:'],
    ['about:blank', 'scheme about:'],
    ['urn:ietf:wg:oauth:2.0:oob', 'scheme urn:'],
    ['ms-msdt:/id', 'scheme ms-msdt:'],
    ['ms-word:ofe', 'scheme ms-word:'],
    ['shell:startup', 'scheme shell:'],
    ['https://app.example.com/a b', 'characters of a URI'],
    ['https://app.example.com/"onload', 'characters of a URI'],
    ['https://app.example.com/<script>', 'characters of a URI'],
    ['https://äpp.example.com/', 'characters of a URI'],
    ['https://app.example.com/\n', 'characters of a URI'],
    ['java\nscript:alert(1)', 'characters of a URI'],
    ['https://app.example.com\\@evil.example/', 'characters of a URI'],
    ['https://[::1/', 'valid URI'],
    ['https://app.example.com:99999/', 'valid URI'],
    [`https://app.example.com/${'a'.repeat(2000)}`, 'at most 2000 characters'],
  ])('refuses %j with a message about %j', (uri, why) => {
    expect(faultOfRedirectUri(uri)).toContain(why);
  });
});

it('displayUri shows one line of limited length', () => {
  expect(displayUri('https://a.example/\r\n\u202ex')).toBe('https://a.example/ x');
  expect(displayUri(`https://a.example/${'x'.repeat(500)}`)).toHaveLength(203);
});
