import { describe, expect, it } from '@jest/globals';
import { readAllowedSchemes, wellKnownSchemes } from './allowed-schemes.js';
import { faultOfRedirectUri } from './redirect-uri.js';

describe('the redirect address of a well-known client', () => {
  it.each([
    ['Claude', 'claude://mcp-auth-callback'],
    ['Code - OSS', 'code-oss://publisher.extension/callback'],
    ['Cursor', 'cursor://anysphere.cursor-mcp/oauth/callback'],
    ['Goose', 'goose://oauth/callback'],
    ['Kiro', 'kiro://kiro.mcp/oauth/callback'],
    ['Raycast', 'raycast://oauth?package_name=Extension'],
    ['Void', 'void://publisher.extension/callback'],
    ['VS Code', 'vscode://publisher.extension/callback'],
    ['VS Code Insiders', 'vscode-insiders://publisher.extension/callback'],
    ['VSCodium', 'vscodium://publisher.extension/callback'],
    ['VSCodium Insiders', 'vscodium-insiders://publisher.extension/callback'],
    ['Warp', 'warp://mcp/oauth2callback'],
    ['Windsurf', 'windsurf://codeium.windsurf/callback'],
    ['Windsurf Next', 'windsurf-next://codeium.windsurf/callback'],
    ['Zed', 'zed://oauth/callback'],
  ])('%s is allowed by default, and refused when the operator removes its scheme', (_client, uri) => {
    const name = `${uri.split(':', 1)[0]}`;
    const { schemes, faults } = readAllowedSchemes(`default,-${name}`);
    expect(faultOfRedirectUri(uri)).toBeUndefined();
    expect(wellKnownSchemes).toContain(name);
    expect([schemes.length, faults]).toEqual([wellKnownSchemes.length - 1, []]);
    expect(faultOfRedirectUri(uri, schemes)).toContain(`must not use the scheme ${name}:`);
  });
});

describe('a scheme that runs code, reads data or opens parts of the system', () => {
  it.each([
    ['javascript:alert(1)', 'javascript'],
    ['JavaScript://x/%0aalert(1)', 'javascript'],
    ['data:text/html,x', 'data'],
    ['file:///etc/passwd', 'file'],
    ['vbscript:x', 'vbscript'],
    ['shell:startup', 'shell'],
    ['search:query=x', 'search'],
    ['search-ms:query=x', 'search-ms'],
    ['ms-word:ofe', 'ms-word'],
    ['ms-msdt:/id', 'ms-msdt'],
    ['ms-settings:privacy', 'ms-settings'],
    ['blob:https://app.example.com/x', 'blob'],
    ['about:blank', 'about'],
    ['view-source:https://app.example.com/', 'view-source'],
    ['chrome-extension://x/y', 'chrome-extension'],
    ['intent://x#Intent;end', 'intent'],
    ['itms-services://?action=download-manifest', 'itms-services'],
    ['applescript://x', 'applescript'],
    ['ssh://host/', 'ssh'],
    ['smb://host/share', 'smb'],
  ])('%s is refused, also when the operator lists it', (uri, name) => {
    expect(faultOfRedirectUri(uri)).toMatch(/^must /);
    const { schemes, faults } = readAllowedSchemes(`default,${name}`);
    expect(faults).toEqual([`must not allow the scheme ${name}`]);
    expect(schemes).toEqual(wellKnownSchemes);
    expect(faultOfRedirectUri(uri, [name])).toMatch(/^must /);
  });
});

describe('the list of allowed schemes', () => {
  it.each<[string, readonly string[]]>([
    ['default', wellKnownSchemes],
    ['default,myapp', [...wellKnownSchemes, 'myapp']],
    [' cursor , myapp,', ['cursor', 'myapp']],
    ['cursor,zed,-cursor', ['zed']],
    ['', []],
  ])('%j allows %j', (text, schemes) => {
    expect(readAllowedSchemes(text)).toEqual({ schemes, faults: [] });
  });

  it.each([
    ['default,-cursr', 'removes cursr, which no entry before it allows: begin with default'],
    ['-cursor', 'removes cursor, which no entry before it allows: begin with default'],
    ['https', 'must not allow the scheme https'],
    ['http', 'must not allow the scheme http'],
    ['Cursor', 'must be the name of a scheme, in lower case and without a colon'],
    ['cursor:', 'must be the name of a scheme, in lower case and without a colon'],
    ['a b', 'must be the name of a scheme, in lower case and without a colon'],
  ])('%j has a fault', (text, fault) => {
    expect(readAllowedSchemes(text).faults).toEqual([fault]);
  });
});
