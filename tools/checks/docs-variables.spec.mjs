import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));

/** Variables that shell blocks use without setting them; one name for each thing. Ids have the name of their object. */
const known = new Set([
  'LENSFORGE_API_URL',
  'LENSFORGE_API_KEY',
  ...['ACCOUNT', 'AI_LENSER', 'APPROVAL', 'COMMUNITY', 'CONNECTOR', 'CONTENDER', 'INVITE', 'KEY_ID', 'LENS'],
  ...['MCP_SERVER', 'MESSAGE', 'RUN', 'THREAD', 'TOKEN_ID', 'WORKFLOW'],
  ...['DEVICE_CODE', 'MCP', 'MCP_TOKEN', 'OPENAI_API_KEY', 'OTHER_TOKEN', 'SECRET', 'URL'],
  ...['ADMIN_URL', 'OWNER_URL', 'PWD', 'HAPROXY_SERVER_ADDR', 'HAPROXY_SERVER_PORT'],
]);

/** The variables that a page uses in its shell blocks, and does not set there. */
function unsetVariables(page) {
  const shell = [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)]
    .map(([, text]) => text.replace(/\\\$/g, ''))
    .join('\n');
  const set = new Set([...shell.matchAll(/\b([A-Za-z_]\w*)=|\bfor (\w+) in/g)].map(([, name, each]) => name ?? each));
  const used = [...shell.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name]) => name);
  return [...new Set(used)].filter((name) => !set.has(name));
}

const pages = ['../README.md', ...readdirSync(docs, { recursive: true }).filter((name) => name.endsWith('.md'))];
const read = (name) => readFileSync(`${docs}${name}`, 'utf8');

describe('variables in shell blocks of README.md and docs/', () => {
  it('have one name for each thing', () => {
    const unknown = pages.flatMap((name) =>
      unsetVariables(read(name))
        .filter((variable) => !known.has(variable))
        .map((variable) => `${name}: $${variable}`),
    );
    expect(unknown).toEqual([]);
  });

  it('are all used', () => {
    const used = new Set(pages.flatMap((name) => unsetVariables(read(name))));
    expect([...known].filter((name) => !used.has(name))).toEqual([]);
  });

  it('are no other names for the address and the token', () => {
    const others = /\bLENSFORGE_(URL|TOKEN|API_TOKEN|BASE_URL)\b|\$(API|TOKEN|BASE|BASE_URL|API_KEY)\b/g;
    expect(pages.flatMap((name) => (read(name).match(others) ?? []).map((found) => `${name}: ${found}`))).toEqual([]);
  });

  it('that are unknown are found', () => {
    expect(unsetVariables('```sh\nA=1\ncurl $A ${B}/$C\n```\n\n$D\n')).toEqual(['B', 'C']);
  });
});
