import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitForExit, followLines, freePort, startPostgres, startRedis, terminate } from '@lensforge/embedded';
import { until } from '@lensforge/testing';

export const thisRelease = join(import.meta.dirname, '..', '..', '..');
const tool = join(thisRelease, 'tools', 'earlier-release.mjs');
const prepareTool = join(import.meta.dirname, 'prepare-release.mjs');
const run = (args: readonly string[], more: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): string =>
  execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...more });

/** The last tag before this commit; undefined in a clone without tags. */
export const lastRelease = (): string | undefined => run([tool, '--name']).trim() || undefined;

/** Builds a release, unless that has been done, and returns its folder. */
const buildRelease = (from: string): string => run([tool, from]).trim();

export const services = ['oauth', 'api-gateway', 'mcp-gateway', 'run-worker', 'webhook-dispatcher'] as const;
export type Service = (typeof services)[number];
const replicas = 2;

interface Process {
  release: string;
  stop: () => Promise<void>;
}

/** Objects that the launcher of a release has made for a trial. */
interface DemoObjects {
  tokens: Record<string, string>;
  lensId: string;
}

/** Two replicas of each service, each of which runs the programs of one of two releases. */
export class TwoReleases {
  private readonly processes = new Map<string, Process>();

  private constructor(
    readonly earlier: string,
    readonly databaseUrl: string,
    readonly demo: DemoObjects,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly ports: ReadonlyMap<string, number>,
    private readonly closeServers: () => Promise<void>,
  ) {}

  /** Starts PostgreSQL and Redis, and all services of the earlier release. */
  static async open(from: string): Promise<TwoReleases> {
    const earlier = buildRelease(from);
    const home = await mkdtemp(join(tmpdir(), 'lensforge-releases-'));
    const [postgres, redis] = await Promise.all([
      startPostgres({ dataDir: join(home, 'postgres'), fast: true }),
      startRedis(),
    ]);
    const closeServers = async (): Promise<void> => {
      await Promise.all([postgres.stop(), redis.stop()]);
      await rm(home, { recursive: true, force: true });
    };
    const ports = new Map<string, number>();
    for (const service of services) {
      for (let index = 0; index < replicas; index += 1) ports.set(`${service} ${index}`, await freePort());
    }
    const [masterKey = '', byokKey = ''] = [0, 1].map(() => randomBytes(32).toString('base64'));
    const environment = {
      LENSFORGE_MASTER_KEY: masterKey,
      LENSFORGE_BYOK_MASTER_KEY: byokKey,
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      LENSFORGE_OAUTH_URL: `http://127.0.0.1:${ports.get('oauth 0')}`,
      LENSFORGE_LEAVE_MS: '1000',
      LENSFORGE_RATE_EXECUTE_PER_MINUTE: '1000000',
      LENSFORGE_RATE_RUN_PER_MINUTE: '1000000',
      LENSFORGE_RATE_LIST_PER_MINUTE: '1000000',
      LENSFORGE_RATE_READ_PER_MINUTE: '1000000',
      LENSFORGE_STREAMS_PER_ACCOUNT: '1000',
      LENSFORGE_INVARIANTS_MS: '1000',
      LOG_LEVEL: 'warn',
      DATABASE_PATIENCE: '3',
    };
    try {
      const launch = { home: join(home, 'launcher'), databaseUrl: postgres.url, redisUrl: redis.url, environment };
      const made = run([prepareTool, earlier, JSON.stringify(launch)], {
        cwd: earlier,
        env: {},
      });
      const demo = JSON.parse(made.slice(made.lastIndexOf('{"tokens"'))) as DemoObjects;
      const opened = new TwoReleases(earlier, postgres.url, demo, environment, ports, closeServers);
      await Promise.all(services.flatMap((service) => [0, 1].map((index) => opened.start(service, index, earlier))));
      return opened;
    } catch (error) {
      await closeServers();
      throw error;
    }
  }

  urlOf(service: Service, index: number): string {
    return `http://127.0.0.1:${this.ports.get(`${service} ${index}`)}`;
  }

  async isReady(service: Service, index: number): Promise<boolean> {
    const answer = await fetch(`${this.urlOf(service, index)}/ready`, { signal: AbortSignal.timeout(1000) }).catch(
      () => undefined,
    );
    return answer?.status === 200;
  }

  /** Replaces a process by one of another release, as a rollout does; resolves when the new one is ready. */
  async replace(service: Service, index: number, release: string): Promise<void> {
    await this.processes.get(`${service} ${index}`)?.stop();
    await this.start(service, index, release);
  }

  private async start(service: Service, index: number, release: string): Promise<void> {
    const name = `${service} ${index}`;
    const { LENSFORGE_BYOK_MASTER_KEY: byokKey, ...shared } = this.environment;
    const own = service === 'run-worker' ? { LENSFORGE_BYOK_MASTER_KEY: byokKey } : {};
    const child = spawn(process.execPath, [join('bundle', `${service}.js`)], {
      cwd: release,
      env: { ...shared, ...own, PORT: `${this.ports.get(name)}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = waitForExit(child);
    const lines = followLines([child.stdout, child.stderr]);
    const state = { over: false };
    void ended.then(() => (state.over = true));
    const stop = (): Promise<void> => terminate(child, ended, ['SIGTERM', 40_000], ['SIGKILL', 0]);
    this.processes.set(name, { release, stop });
    await until(async () => state.over || (await this.isReady(service, index)), {
      what: `${name} to start`,
    });
    if (state.over) throw new Error(`${name} of ${release} ended: ${lines.slice(-5).join('\n')}`);
  }

  /** Runs a command of `operate` of a release. */
  operate(release: string, ...args: string[]): Promise<void> {
    const child = spawn(process.execPath, [join('bundle', 'lensforge-operate.js'), ...args], {
      cwd: release,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines = followLines([child.stdout, child.stderr]);
    return waitForExit(child).then(({ code }) => {
      if (code !== 0) throw new Error(`operate ${args.join(' ')}: ${lines.join('\n')}`);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.processes.values()].map(({ stop }) => stop()));
    await this.closeServers();
  }
}
