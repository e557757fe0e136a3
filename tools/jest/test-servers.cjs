const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const versions = '/usr/lib/postgresql';

/** The folder with the programs of the newest PostgreSQL that Debian's packages have installed. */
exports.installedPostgres = () => {
  const found = existsSync(versions) ? readdirSync(versions).sort((one, other) => Number(other) - Number(one)) : [];
  return found.map((version) => join(versions, version, 'bin')).find((folder) => existsSync(join(folder, 'postgres')));
};

/** The variables of the test files of a Jest project: the addresses of the servers that start-servers.mjs started for them. */
exports.serverVariables = (project) => {
  const { embedded, installed } = JSON.parse(process.env.TEST_SERVERS ?? '{}');
  const isOnInstalled = process.env.TEST_ON_INSTALLED?.split(',').includes(project);
  return isOnInstalled ? { ...installed, LENSFORGE_POSTGRES_BIN: exports.installedPostgres() } : embedded;
};
