// Prints assignments of the variables by which pages of the documentation name the objects of an answer.
import { readFileSync } from 'node:fs';

const [call, file] = process.argv.slice(2);
const [, method, path] = call.split(' ').map((each) => each.replace(/^https?:\/\/[^/]+|\?.*$/g, ''));

const variables = [
  ['POST', /^\/v1\/lenses$/, { LENS: 'id' }],
  ['POST', /^\/v1\/lenses\/[^/]+\/execute$/, { RUN: 'runId' }],
  ['POST', /^\/v1\/agents$/, { AI_LENSER: 'id' }],
  ['GET', /^\/v1\/agents\/[^/]+\/approvals$/, { APPROVAL: '0.id' }],
  ['POST', /^\/v1\/battles$/, { BATTLE: 'id' }],
  ['POST', /^\/v1\/battles\/[^/]+\/contenders$/, { CONTENDER: 'id' }],
  ['POST', /^\/v1\/byok-keys$/, { KEY_ID: 'id' }],
  ['POST', /^\/v1\/incoming-webhooks$/, { HOOK: 'path', SECRET: 'secret' }],
  ['POST', /^\/v1\/mcp-servers$/, { MCP_SERVER: 'id' }],
  ['POST', /^\/v1\/workflows$/, { WORKFLOW: 'id' }],
  ['POST', /^\/v1\/threads$/, { THREAD: 'id' }],
  ['POST', /^\/v1\/threads\/[^/]+\/messages$/, { MESSAGE: 'id' }],
  ['POST', /^\/v1\/tokens$/, { TOKEN_ID: 'id' }],
  ['POST', /^\/v1\/connectors$/, { CONNECTOR: 'id' }],
  ['POST', /^\/v1\/communities$/, { COMMUNITY: 'id' }],
  ['POST', /^\/v1\/communities\/[^/]+\/invites$/, { INVITE: 'value' }],
  ['POST', /^\/v1\/communities\/[^/]+\/join$/, { ACCOUNT: 'accountId' }],
  ['POST', /^\/id\/device_authorization$/, { DEVICE_CODE: 'device_code' }],
];

const found = variables.find((each) => each[0] === method && each[1].test(path));
if (found) {
  const answer = JSON.parse(readFileSync(file, 'utf8'));
  // The id of a reply is not the id that a page goes on with.
  const data = answer.data?.parentId ? {} : (answer.data ?? answer);
  for (const [name, member] of Object.entries(found[2])) {
    const value = member.split('.').reduce((part, key) => part?.[key], data);
    if (typeof value === 'string') process.stdout.write(`${name}='${value}'\n`);
  }
}
