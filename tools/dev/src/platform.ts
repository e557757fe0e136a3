import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ByokProvider } from '@lensforge/contracts';
import { newId, platformActor, systemClock } from '@lensforge/core';
import { migrate, openDatabase } from '@lensforge/database';
import { applicationRole, ensureApplicationRole } from './application-role.js';
import { type BaseServers, elapsed, openDatabaseServer, openRedisServer } from './base-servers.js';
import { StartupError } from './startup-error.js';
import type { DemoData, DemoUser } from './demo-data.js';
import { DemoSessions } from './demo-sessions.js';
import { Fleet, type Pids } from './fleet.js';
import { openHome } from './home.js';
import { type Log, remembering } from './log.js';
import type { PlatformOptions } from './platform-options.js';
import { choosePorts, freePortBase } from './ports.js';
import { type Receiver, openReceiver } from './receiver.js';
import {
  type Addresses,
  masterKeyIn,
  ownEnvironment,
  redisPrefix,
  serviceEnvironment,
  usualDrainMs,
} from './service-environment.js';
import { type ProviderKeys, keepProviderKeys, providerEnvironment, providersIn } from './provider-keys.js';
import { addServerModels } from './server-models.js';
import { serviceProcess } from './service-process.js';
import { type ServiceKind, allInOne, knownServices, root } from './services.js';

export interface Platform extends Addresses {
  redisPrefix: string;
  /** The public addresses of the services: `api` and others. */
  urls: Readonly<Record<string, string>>;
  users: readonly DemoUser[];
  /** The current tokens; session tokens are renewed. */
  readonly tokens: Readonly<Record<string, string>>;
  lensId: string | undefined;
  workflowId: string | undefined;
  /** The providers that run-workers have a key for, without `offline`. */
  providers: readonly ByokProvider[];
  home: string;
  /** The current process ids; restarts change them. */
  readonly pids: Pids;
  /** The last log lines of launcher and services, newest last. */
  readonly recentLines: readonly string[];
  /** Settles when a process cannot be kept running; the caller then stops the platform. */
  givenUp: Promise<StartupError>;
  onPidsChange(then: () => void): void;
  onTokensChange(then: () => void): void;
  /** The address of one replica. */
  urlOf(service: string, index?: number): string;
  /** The process id of a replica, `postgres` or `redis`; undefined during a restart. */
  pidOf(service: string, index?: number): number | undefined;
  /** Kills a service, `postgres` or `redis`, which is then restarted. */
  kill(service: string, index: number, signal: NodeJS.Signals): void;
  /** Stops a process until it is resumed. */
  hold(service: string, index?: number): Promise<void>;
  resume(service: string, index?: number): Promise<void>;
  restart(service: string, index?: number): Promise<void>;
  stop(): Promise<void>;
}

/** The steps that take the platform down, in the order of its start. */
type Undo = (() => Promise<void>)[];

interface Made {
  addresses: Addresses;
  providers: readonly ByokProvider[];
  demo: DemoData | undefined;
  sessions: DemoSessions | undefined;
  recentLines: readonly string[];
  stop: () => Promise<void>;
}

const serviceTries = 5;
const servicePatienceMs = 30_000;

/** Migrates the schema; returns the database URL of services. */
async function prepareDatabase(ground: BaseServers, url: string): Promise<string> {
  const { log } = ground;
  const servicesUrl = await ensureApplicationRole(ground, url);
  const { databaseCa: ca, servicesDatabaseUrl } = ground.options;
  const options = servicesUrl === undefined ? { ca } : { ca, applicationRole };
  const applied = await migrate(url, undefined, options).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'SchemaError') throw error;
    throw new StartupError(`${error.message}.`, { cause: error });
  });
  log.say(
    'info',
    applied.length > 0 ? `schema brought up to date (${applied.join(', ')})` : 'the schema is up to date',
  );
  return servicesDatabaseUrl ?? servicesUrl ?? url;
}

function startReplicas(
  ground: BaseServers,
  kind: ServiceKind,
  environment: NodeJS.ProcessEnv,
  providerKeys: ProviderKeys,
): Promise<void>[] {
  const { log, fleet, ports } = ground;
  const { name, entry, nurseryMb, portsOf = name, executesRuns = false } = kind;
  const all = ports.of(portsOf);
  const keys = executesRuns ? providerEnvironment(providerKeys) : {};
  return all.map(async (port, index) => {
    const instance = all.length > 1 ? `${name}.${index + 1}` : name;
    const since = performance.now();
    const start = serviceProcess({
      entry,
      nurseryMb,
      folder: root,
      port,
      environment: ownEnvironment(ground.home, kind, { ...keys, ...environment }),
      onLine: (line) => log.pass(name, instance, line),
      drainMs: Number(environment['LENSFORGE_DRAIN_MS'] ?? usualDrainMs),
      patienceMs: servicePatienceMs,
    });
    await fleet.add(name, instance, serviceTries, start);
    log.say('info', `${instance} is ready after ${elapsed(since)}`, { url: `http://127.0.0.1:${port}` });
  });
}

async function makeDemo(ground: BaseServers, receiver: Receiver, environment: NodeJS.ProcessEnv): Promise<DemoData> {
  const { ensureDemoData } = await import('./demo-data.js');
  const { DATABASE_URL: databaseUrl = '' } = environment;
  const masterKey = await masterKeyIn(environment);
  const demo = await ensureDemoData({
    databaseUrl,
    databaseCa: ground.options.databaseCa,
    masterKey,
    home: ground.home,
    receiverUrl: receiver.url,
    samples: ground.options.samples ?? false,
  });
  receiver.expect(demo.webhookSecret);
  ground.log.say('info', 'the demo data is there');
  return demo;
}

/** Adds the models of a model server that was given with `--with`. A server that cannot be reached is a warning. */
async function findServerModels({ options, log }: BaseServers, url: string, keys: ProviderKeys): Promise<void> {
  const access = keys['openai-compatible'];
  if (!access?.baseUrl) return;
  const source = await openDatabase({
    url,
    ca: options.databaseCa,
    applicationName: 'dev',
    poolSize: 1,
    timeoutFactor: 10,
  });
  try {
    const ctx = { actor: platformActor, db: source.manager, now: systemClock, requestId: newId() };
    const added = await addServerModels(ctx, access);
    if (added.length > 0) log.say('info', `${added.length} models of ${access.baseUrl} are new: ${added.join(', ')}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.say('warn', `the models of ${access.baseUrl} could not be listed: ${reason}`);
  } finally {
    await source.destroy();
  }
}

async function signDemoIn({ ports, log }: BaseServers, { users }: DemoData): Promise<DemoSessions> {
  const sessions = new DemoSessions(`http://127.0.0.1:${ports.of('oauth')[0]}`, log);
  await sessions.open(users).catch((error: unknown) => log.say('error', String(error)));
  return sessions;
}

/** Chooses the folder and the ports; `undo` gets what removes them. */
async function layGround(
  options: PlatformOptions,
  { log, fleet, services, undo }: { log: Log; fleet: Fleet; services: readonly ServiceKind[]; undo: Undo },
): Promise<BaseServers> {
  if (options.fresh && options.databaseUrl) {
    throw new StartupError(
      '--fresh empties the embedded database only: with DATABASE_URL set, empty that one yourself.',
    );
  }
  const path = options.home ?? (await mkdtemp(join(tmpdir(), 'lensforge-')));
  if (!options.home) undo.push(() => rm(path, { recursive: true, force: true }));
  const home = await openHome(path, { fresh: options.fresh ?? false });
  undo.push(() => home.leave());
  const { replicas, portBase: base = options.allInOne ? await freePortBase(services) : undefined } = options;
  const ports = await choosePorts(services, { replicas, base, patienceMs: home.abandoned ? usualDrainMs : 0 });
  return { options, log, fleet, home, ports };
}

function toPlatform(
  base: BaseServers,
  services: readonly ServiceKind[],
  { addresses, demo, providers, sessions, recentLines, stop }: Made,
): Platform {
  const { fleet, home, ports } = base;
  const toUrl = (service: string, index = 0): string => `http://127.0.0.1:${ports.of(service)[index]}`;
  return {
    ...addresses,
    redisPrefix: redisPrefix(base),
    urls: Object.fromEntries(
      services.flatMap(({ name, publicName }) => (publicName ? [[publicName, toUrl(name)]] : [])),
    ),
    users: demo?.users ?? [],
    get tokens() {
      return { ...demo?.tokens, ...sessions?.tokens };
    },
    lensId: demo?.lensId,
    workflowId: demo?.workflowId,
    providers,
    home: home.path,
    get pids() {
      return fleet.pids;
    },
    recentLines,
    givenUp: fleet.givenUp,
    onPidsChange: (then) => {
      fleet.onChange = then;
    },
    onTokensChange: (then) => {
      if (sessions) sessions.onChange = then;
    },
    urlOf: toUrl,
    pidOf: (service, index) => fleet.one(service, index).pid,
    kill: (service, index, signal) => fleet.one(service, index).kill(signal),
    hold: (service, index) => fleet.one(service, index).stop(),
    resume: (service, index) => fleet.one(service, index).begin(),
    restart: (service, index) => fleet.one(service, index).restart(),
    stop,
  };
}

/** Starts all services as processes, as in production; a failed start leaves no processes. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { log, recentLines } = remembering(options.log);
  const fleet = new Fleet(log);
  const services = options.services ?? knownServices();
  const undo: Undo = [];

  const start = async (): Promise<Platform> => {
    const ground = await layGround(options, { log, fleet, services, undo });
    const receiver = options.demo === false ? undefined : await openReceiver(ground.ports.receiver, log);
    if (receiver) undo.push(() => receiver.close());
    const [databaseUrl, redisUrl] = await Promise.all([openDatabaseServer(ground), openRedisServer(ground)]);
    const servicesUrl = await prepareDatabase(ground, databaseUrl);
    await options.built;
    const environment = serviceEnvironment(ground, services, { databaseUrl: servicesUrl, redisUrl });
    const providerKeys = await keepProviderKeys(ground.home, options.providerKeys ?? {});
    const [demo] = await Promise.all([
      receiver && makeDemo(ground, receiver, environment),
      findServerModels(ground, databaseUrl, providerKeys),
      ...(options.allInOne ? [allInOne] : services).flatMap((service) =>
        startReplicas(ground, service, environment, providerKeys),
      ),
    ]);
    const signsIn = demo && services.some(({ name }) => name === 'oauth') && options.signIn !== false;
    const sessions = signsIn ? await signDemoIn(ground, demo) : undefined;
    if (sessions) undo.push(async () => sessions.close());
    const providers = providersIn({ ...providerEnvironment(providerKeys), ...environment });
    const addresses = { databaseUrl, redisUrl };
    return toPlatform(ground, services, { addresses, providers, demo, sessions, recentLines, stop });
  };

  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= takeDown());
  const takeDown = async (): Promise<void> => {
    await fleet.close();
    await starting.catch(() => undefined);
    await fleet.close();
    for (const step of undo.splice(0).reverse()) await step();
  };

  const interruption = new StartupError('The start was interrupted.');
  if (options.signal?.aborted) throw interruption;
  const starting = start();
  const interrupted = new Promise<never>((_, reject) => {
    options.signal?.addEventListener('abort', () => reject(interruption), { once: true });
    void fleet.givenUp.then(reject);
  });
  interrupted.catch(() => undefined);
  try {
    return await Promise.race([starting, interrupted]);
  } catch (error) {
    await stop();
    throw error;
  }
}
