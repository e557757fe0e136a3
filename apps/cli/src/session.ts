import { readFile, writeFile } from 'node:fs/promises';
import { type Client, type ListCall, createClient } from '@lensforge/sdk';
import { CredentialNeeded, UsageFault, getSystemCode } from './faults.js';
import type { Host } from './host.js';
import type { Input } from './input.js';
import { type Column, table } from './layout.js';
import { SignIn } from './oauth.js';
import { type Credential, type Profile, ProfileStore, configFolder } from './profile-store.js';
import { select } from './selection.js';
import { Terminal } from './terminal.js';
import { version } from './version.js';

const defaultApiUrl = 'http://127.0.0.1:4000';
/** A session token is refreshed this long before its end. */
const refreshAheadMs = 60_000;
const defaultLimit = 30;

const isLocal = (hostname: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);

/** The state of one command: its settings, its client and its output. */
export class Session {
  readonly terminal: Terminal;
  readonly store: ProfileStore;
  readonly signal: AbortSignal;

  private constructor(
    readonly host: Host,
    private readonly input: Input,
    readonly profileName: string,
    readonly profile: Profile,
    store: ProfileStore,
  ) {
    this.store = store;
    this.signal = host.signal;
    this.terminal = new Terminal(host.stdout, host.stderr, host.env);
  }

  static async open(host: Host, input: Input): Promise<Session> {
    const store = new ProfileStore(configFolder(host.env));
    const { current = 'default' } = await store.read();
    const name = input.text('profile') ?? host.env['LENSFORGE_PROFILE'] ?? current;
    if (!/^[\w.-]{1,50}$/.test(name) || name.startsWith('__'))
      throw new UsageFault(`"${name}" is not the name of a profile: use letters, digits, dots and hyphens`);
    return new Session(host, input, name, await store.profile(name), store);
  }

  get apiUrl(): string {
    const url =
      this.input.text('api-url') ?? this.host.env['LENSFORGE_API_URL'] ?? this.profile.apiUrl ?? defaultApiUrl;
    return checkedUrl(url, 'api-url');
  }

  /** The address of the sign-in: that of the profile, port 4200 of this computer, or the origin of the API. */
  get authUrl(): string {
    const given = this.input.text('auth-url') ?? this.host.env['LENSFORGE_AUTH_URL'] ?? this.profile.authUrl;
    if (given !== undefined) return checkedUrl(given, 'auth-url');
    const { protocol, hostname, origin } = new URL(this.apiUrl);
    return isLocal(hostname) ? `${protocol}//${hostname}:4200` : origin;
  }

  /** The address of the tool-call server: port 4100 of this computer, or /mcp at the origin of the API. */
  get mcpUrl(): string {
    const given = this.input.text('mcp-url') ?? this.host.env['LENSFORGE_MCP_URL'];
    if (given !== undefined) return checkedUrl(given, 'mcp-url');
    const { protocol, hostname, origin } = new URL(this.apiUrl);
    return isLocal(hostname) ? `${protocol}//${hostname}:4100/mcp` : `${origin}/mcp`;
  }

  get signIn(): SignIn {
    return new SignIn(this.authUrl, this.signal);
  }

  /** LENSFORGE_API_KEY, which comes before the stored credential. */
  get environmentToken(): string | undefined {
    return this.host.env['LENSFORGE_API_KEY'] || undefined;
  }

  get hasCredential(): boolean {
    return (this.environmentToken ?? this.profile.credential) !== undefined;
  }

  /** The client of a command that needs a credential. */
  get client(): Client {
    if (!this.hasCredential) throw new CredentialNeeded('You are not logged in');
    return this.clientWithout();
  }

  /** The client of a command that works without a credential, too. */
  clientWithout(): Client {
    return createClient({
      baseUrl: this.apiUrl,
      apiKey: () => this.token(),
      headers: { 'user-agent': `lensforge-cli/${version}` },
    });
  }

  /** Options of a call. */
  get call(): { signal: AbortSignal } {
    return { signal: this.signal };
  }

  get asJson(): boolean {
    return this.input.flag('json') || this.input.text('jq') !== undefined;
  }

  /** Prints data: as JSON when it is wanted, otherwise the text. */
  show(data: unknown, text: () => string): void {
    const selection = this.input.text('jq');
    if (selection !== undefined) {
      const values = select(data, selection);
      for (const value of values) this.terminal.data(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
    } else if (this.asJson) {
      this.terminal.data(`${JSON.stringify(data, null, 2)}\n`);
    } else {
      this.terminal.data(`${text()}\n`);
    }
  }

  /** Prints the first items of a list, over pages. */
  async showList<T>(read: (limit: number) => ListCall<T>, columns: readonly Column<T>[], empty: string): Promise<void> {
    const limit = numberIn(this.input, 'limit', { min: 1, max: 10_000 }) ?? defaultLimit;
    const items: T[] = [];
    for await (const item of read(Math.min(limit, 100))) {
      items.push(item);
      if (items.length === limit) break;
    }
    if (items.length === 0 && !this.asJson) this.terminal.message(empty);
    else this.show(items, () => table(columns, items));
  }

  /** The text of a file, or of stdin for `-`. */
  async readText(path: string): Promise<string> {
    if (path === '-') return this.readStdin();
    return (await this.readBytes(path)).toString('utf8');
  }

  readBytes(path: string): Promise<Buffer> {
    return readFile(path).catch((error: unknown) => {
      throw new UsageFault(
        `${path} cannot be read (${getSystemCode(error)})`,
        'Give the path of a readable file, or - for stdin',
      );
    });
  }

  async writeText(path: string, text: string): Promise<void> {
    await writeFile(path, text).catch((error: unknown) => {
      throw new UsageFault(`${path} cannot be written (${getSystemCode(error)})`, 'Give another path');
    });
  }

  async readStdin(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const part of this.host.stdin)
      text += typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    return text + decoder.decode();
  }

  /** The members of a JSON document. */
  async readJson(path: string): Promise<Record<string, unknown>> {
    return parseMembers(await this.readText(path), path);
  }

  /** The token for requests that are not of the REST API. */
  async bearer(): Promise<string> {
    const token = await this.token();
    if (token === undefined) throw new CredentialNeeded('You are not logged in');
    return token;
  }

  private async token(): Promise<string | undefined> {
    if (this.environmentToken !== undefined) return this.environmentToken;
    const { credential } = this.profile;
    if (!credential) return undefined;
    const isOld = credential.expiresAt !== undefined && credential.expiresAt < Date.now() + refreshAheadMs;
    return (isOld && credential.refreshToken ? await this.refresh(credential.refreshToken) : credential).accessToken;
  }

  private async refresh(refreshToken: string): Promise<Credential> {
    const credential = await this.signIn.refresh(refreshToken);
    await this.store.change(this.profileName, { credential });
    if (!credential) throw new CredentialNeeded('Your session has ended');
    this.profile.credential = credential;
    return credential;
  }
}

export function parseMembers(text: string, place: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageFault(`${place} is not valid JSON: ${(error as Error).message}`, 'Correct the JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageFault(`${place} is not a JSON object`, 'Give an object, such as {"name": "Ada"}');
  return value as Record<string, unknown>;
}

function checkedUrl(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new UsageFault(`${option}: "${text}" is not an address`, 'Give an address such as https://api.example.com');
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** The value of an option as a whole number. */
export function numberIn(input: Input, name: string, { min = 0, max = 2_147_483_647 } = {}): number | undefined {
  const text = input.text(name);
  if (text === undefined) return undefined;
  const value = /^-?\d{1,12}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) throw new UsageFault(`--${name} is a whole number from ${min} to ${max}`);
  return value;
}

/** Members from options such as `name=text`, `name:=json` and `name=@file`. */
export async function assignments(session: Session, input: Input, option: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const text of input.list(option)) {
    const [, name = '', sign, value = ''] = /^([^=:]+)(:=|=)([^]*)$/.exec(text) ?? [];
    if (!sign) throw new UsageFault(`--${option} "${text}" has no value`, `Write --${option} name=value`);
    if (name === '__proto__') throw new UsageFault(`--${option}: a member cannot be called __proto__`);
    if (sign === '=') found[name] = value.startsWith('@') ? await session.readText(value.slice(1)) : value;
    else found[name] = parseJson(value, `--${option} ${name}`);
  }
  return found;
}

export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UsageFault(`${place} is not valid JSON: ${(error as Error).message}`, 'Correct the JSON');
  }
}

/** The value of an option that a command cannot do without. */
export function needed(input: Input, option: string, example: string): string {
  const value = input.text(option);
  if (value === undefined || value === '')
    throw new UsageFault(`--${option} is required`, `Add --${option} ${example}`);
  return value;
}

/** A secret, which is never an argument: other users of the machine can read those. */
export async function secretFromStdin(session: Session, name: string): Promise<string> {
  if (session.host.stdin.isTTY) session.terminal.message(`Paste the ${name}, then press Enter and Ctrl-D:`);
  const secret = (await session.readStdin()).trim();
  if (secret === '') throw new UsageFault(`No ${name} was given`, `Pipe it in: printf %s "$SECRET" | lensforge …`);
  return secret;
}
