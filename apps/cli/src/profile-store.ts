import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommandFault, getSystemCode } from './faults.js';

export interface Credential {
  kind: 'developer' | 'session' | 'pasted';
  accessToken: string;
  refreshToken?: string;
  /** Milliseconds since 1970. */
  expiresAt?: number;
}

export interface Profile {
  apiUrl?: string;
  authUrl?: string;
  credential?: Credential;
  /** The secret with which `webhooks listen` signs. */
  webhookSecret?: string;
}

interface Stored {
  current?: string;
  profiles: Record<string, Profile>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of settings: LENSFORGE_CONFIG_DIR, or lensforge in the folder of the system for settings. */
export function configFolder(env: Environment): string {
  if (env['LENSFORGE_CONFIG_DIR']) return env['LENSFORGE_CONFIG_DIR'];
  const base = env['XDG_CONFIG_HOME'] ?? env['APPDATA'] ?? join(env['HOME'] ?? homedir(), '.config');
  return join(base, 'lensforge');
}

/** Profiles with their credentials, in a file that only its owner can read. */
export class ProfileStore {
  readonly file: string;

  constructor(private readonly folder: string) {
    this.file = join(folder, 'profiles.json');
  }

  async read(): Promise<Stored> {
    const text = await readFile(this.file, 'utf8').catch((error: unknown) => {
      if (getSystemCode(error) === 'ENOENT') return '{"profiles":{}}';
      throw new CommandFault(`${this.file} cannot be read (${getSystemCode(error)})`, 'Make it readable for your user');
    });
    try {
      const stored = JSON.parse(text) as Partial<Stored>;
      return { ...stored, profiles: stored.profiles ?? {} };
    } catch {
      throw new CommandFault(`${this.file} is not valid JSON`, 'Correct or delete it, then log in again');
    }
  }

  async profile(name: string): Promise<Profile> {
    const { profiles } = await this.read();
    return Object.hasOwn(profiles, name) ? (profiles[name] ?? {}) : {};
  }

  /** Changes a profile; members that are undefined are removed. */
  async change(name: string, change: { [K in keyof Profile]: Profile[K] | undefined }): Promise<void> {
    const stored = await this.read();
    const profile = JSON.parse(JSON.stringify({ ...stored.profiles[name], ...change })) as Profile;
    await this.write({ ...stored, profiles: { ...stored.profiles, [name]: profile } });
  }

  async use(name: string): Promise<void> {
    await this.write({ ...(await this.read()), current: name });
  }

  /** True when other users of the machine can read the file. */
  async isExposed(): Promise<boolean> {
    if (process.platform === 'win32') return false;
    const found = await stat(this.file).catch(() => undefined);
    return found !== undefined && (found.mode & 0o077) !== 0;
  }

  /** Replaces the file as a whole, so that a program that is stopped leaves the old or the new one. */
  private async write(stored: Stored): Promise<void> {
    const next = `${this.file}.${randomBytes(6).toString('hex')}`;
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFile(next, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      await chmod(next, 0o600);
      await rename(next, this.file);
    } catch (error) {
      await rm(next, { force: true });
      throw new CommandFault(
        `${this.file} cannot be written (${getSystemCode(error)})`,
        'Set LENSFORGE_CONFIG_DIR to another folder',
      );
    }
  }
}
