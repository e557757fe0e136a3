import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { lchown, readdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { type Binaries, copyBinaries, findBinaries, linkLibraries } from './postgres-binaries.js';
import { ServerFault } from './server-fault.js';

/** The user and binaries that run PostgreSQL, with a function to start its programs. */
export interface Runner {
  binaries: Binaries;
  uid: number | undefined;
  gid: number | undefined;
  start(file: string, args: string[], options?: SpawnOptions): ChildProcess;
}

type Wrap = (file: string, args: string[]) => { file: string; args: string[]; uid?: number; gid?: number };

const environment = (): NodeJS.ProcessEnv => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG|POSTGRES)/.test(name));
  return { ...Object.fromEntries(inherited), LC_ALL: 'C' };
};

const createRunner = (binaries: Binaries, wrap: Wrap, uid?: number, gid?: number): Runner => ({
  binaries,
  uid,
  gid,
  start(file, args, options = {}) {
    const { file: program, args: all, ...identity } = wrap(file, args);
    return spawn(program, all, { cwd: parse(process.cwd()).root, env: environment(), ...options, ...identity });
  },
});

const readId = (flag: '-u' | '-g', name: string): number | undefined => {
  const answer = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return answer.status === 0 ? Number(answer.stdout.trim()) : undefined;
};

function unprivilegedUser(): { name: string; uid: number; gid: number } {
  for (const name of ['nobody', 'postgres', 'daemon']) {
    const uid = readId('-u', name);
    const gid = readId('-g', name);
    if (uid !== undefined && gid !== undefined && uid !== 0) return { name, uid, gid };
  }
  throw new ServerFault(
    'PostgreSQL refuses to run as root and this machine has no user "nobody" to run it as: ' +
      'start as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

const unwrapped: Wrap = (file, args) => ({ file, args });

/* Without no_setuid_fixup the change of user would drop the capability that access(2) on the executable needs. */
const withCapability =
  (uid: number, gid: number): Wrap =>
  (file, args) => ({
    file: 'setpriv',
    args: [
      '--securebits=+no_setuid_fixup',
      ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
      ...['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'],
      ...['--', file, ...args],
    ],
  });

const inUserNamespace: Wrap = (file, args) => ({
  file: 'unshare',
  args: ['--user', '--map-user=65534', '--map-group=65534', '--', file, ...args],
});

const passes = (wrap: Wrap, ...conditions: string[]): boolean => {
  const { file, args, ...identity } = wrap('test', conditions);
  return spawnSync(file, args, { cwd: '/', stdio: 'ignore', ...identity }).status === 0;
};

const canUse = (wrap: Wrap, { postgres }: Binaries, folder: string): boolean =>
  passes(wrap, '-x', postgres) && passes(wrap, '-w', folder);

const hasUserName = (): boolean => {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
};

/* A container may run with a user id that has no name. initdb needs a name; a user namespace provides one. */
async function ordinaryRunner(dataDir: string, folder: string, installed: string | undefined): Promise<Runner> {
  const wrap = hasUserName() ? unwrapped : inUserNamespace;
  if (wrap === inUserNamespace && !passes(wrap, '-w', folder)) {
    throw new ServerFault(
      `PostgreSQL needs a name for the user with id ${process.getuid?.()}, and /etc/passwd has none: ` +
        'start as a user that has one, or set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
  const binaries = await findBinaries(installed);
  if (await linkLibraries(binaries.root)) return createRunner(binaries, wrap);
  return createRunner(await copyBinaries(binaries, `${dataDir}-binaries`), wrap);
}

async function changeOwner(folder: string, uid: number, gid: number): Promise<void> {
  if ((await stat(folder)).uid === uid) return;
  const inside = await readdir(folder, { recursive: true });
  for (const path of [...inside.map((name) => join(folder, name)), folder]) await lchown(path, uid, gid);
}

/** Finds a user and binaries that can use `folder`: the data folder, or the temporary one during initialisation. */
export async function findRunner(dataDir: string, folder: string, installed?: string): Promise<Runner> {
  if (process.getuid?.() !== 0) return ordinaryRunner(dataDir, folder, installed);
  const owner = await stat(folder);
  const { name, uid, gid } =
    owner.uid === 0 ? unprivilegedUser() : { name: `with id ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  const direct: Wrap = (file, args) => ({ file, args, uid, gid });
  const binaries = await findBinaries(installed);
  await linkLibraries(binaries.root);

  await changeOwner(folder, uid, gid);
  if (canUse(direct, binaries, folder)) return createRunner(binaries, direct, uid, gid);
  const capable = withCapability(uid, gid);
  if (canUse(capable, binaries, folder)) return createRunner(binaries, capable, uid, gid);
  if (passes(direct, '-w', folder)) {
    return createRunner(await copyBinaries(binaries, `${dataDir}-binaries`), direct, uid, gid);
  }
  await changeOwner(folder, 0, 0);
  if (canUse(inUserNamespace, binaries, folder)) return createRunner(binaries, inUserNamespace, 0, 0);
  throw new ServerFault(
    `PostgreSQL refuses to run as root, and the user ${name} it would run as cannot enter ${dirname(dataDir)}: ` +
      'choose a folder others may enter (LENSFORGE_HOME=/var/tmp/lensforge) or start as an ordinary user.',
  );
}
