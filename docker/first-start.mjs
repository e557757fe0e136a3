import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// node first-start.mjs <folder>: generates the passwords and keys of docker/compose.yaml, and writes for each service the
// files that it needs into a folder of its own. Later starts write the same values: those in <folder>/all/secrets.json.
const [folder] = process.argv.slice(2);
const path = join(folder, 'all', 'secrets.json');

const password = () => randomBytes(24).toString('base64url');
const key = () => randomBytes(32).toString('base64');
const made = {
  ownerPassword: password(),
  servicesPassword: password(),
  redisPassword: password(),
  masterKey: key(),
  byokMasterKey: key(),
};
const secrets = { ...made, ...(existsSync(path) && JSON.parse(readFileSync(path, 'utf8'))) };
const { ownerPassword, servicesPassword, redisPassword, masterKey, byokMasterKey } = secrets;

const stores = {
  'database-url': `postgres://lensforge_services:${servicesPassword}@postgres:5432/lensforge`,
  'redis-url': `redis://lensforge:${redisPassword}@valkey:6379`,
};
const files = {
  'api-gateway': { ...stores, 'master-key': masterKey },
  'mcp-gateway': stores,
  oauth: { ...stores, 'master-key': masterKey },
  'run-worker': { ...stores, 'byok-master-key': byokMasterKey },
  'webhook-dispatcher': { ...stores, 'master-key': masterKey },
  operate: { ...stores, 'master-key': masterKey, 'byok-master-key': byokMasterKey },
  migrate: { 'database-url': `postgres://lensforge:${ownerPassword}@postgres:5432/lensforge` },
  postgres: { 'owner-password': ownerPassword, 'services-password': servicesPassword },
  valkey: {
    'users.acl':
      'user default off\n' +
      `user lensforge on >${redisPassword} ~lensforge* ~{lensforge* &lensforge* +@all -@admin -@dangerous +info\n`,
  },
};

const write = (name, text) => {
  const file = join(folder, name);
  if (existsSync(file)) return;
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(`${file}.new`, text, { mode: 0o444 });
  renameSync(`${file}.new`, file);
};
// First of all, so that an interrupted start continues with these values.
write('all/secrets.json', JSON.stringify(secrets));
for (const [service, texts] of Object.entries(files)) {
  for (const [name, text] of Object.entries(texts)) write(join(service, name), text);
}
