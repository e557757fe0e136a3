import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DevFacts, readDevFile } from './dev-file.js';
import { readHolder } from './holder.js';
import { drawPage } from './page.js';
import { root } from './services.js';
import { clientSettings, serviceSettings } from './shell-settings.js';
import { StartupError } from './startup-error.js';

// The options of `npm start` about a platform that runs. They load no libraries, so that they answer at once.

/** The data folder of `npm start`. */
export const pickHome = (environment: NodeJS.ProcessEnv, folder: string): string =>
  environment['LENSFORGE_HOME'] ? resolve(folder, environment['LENSFORGE_HOME']) : join(root, '.lensforge');

/** `npm start -- --show`: the page of a running platform. */
export async function showPage(environment: NodeJS.ProcessEnv, folder: string): Promise<string> {
  const facts: DevFacts = await readDevFile(pickHome(environment, folder));
  return drawPage(facts, folder);
}

/** `npm start -- --status`: one line about the platform that runs. */
export async function showStatus(environment: NodeJS.ProcessEnv, folder: string): Promise<string> {
  const home = pickHome(environment, folder);
  const pid = await readHolder(home);
  const facts = await readDevFile(home).catch((error: unknown) => {
    if (pid === undefined) throw error;
  });
  if (!facts) return `Lensforge is starting or stopping (process ${pid}).`;
  return `Lensforge runs (process ${facts.pid}): API ${facts.urls['api']}, MCP ${facts.urls['mcp']}/mcp. npm start -- --show prints its page.`;
}

const stopPatienceMs = 120_000;

/** `npm start -- --stop`: stops the platform that runs or starts, and waits until it has ended. */
export async function stopRunning(environment: NodeJS.ProcessEnv, folder: string): Promise<string> {
  const home = pickHome(environment, folder);
  const pid = await readHolder(home);
  if (pid === undefined) return `No platform is running in ${home}.`;
  process.kill(pid, 'SIGTERM');
  const end = performance.now() + stopPatienceMs;
  while ((await readHolder(home)) === pid) {
    if (performance.now() > end) throw new StartupError(`Process ${pid} has not ended yet; its log says why.`);
    await sleep(100);
  }
  return 'Lensforge is stopped.';
}

/** `npm start -- --env`: settings for the commands of the documentation. */
export const showEnv = async (environment: NodeJS.ProcessEnv, folder: string): Promise<string> =>
  clientSettings(await readDevFile(pickHome(environment, folder)));

/** `npm start -- --service-env`: settings for programs that work with the stores. */
export async function showServiceEnv(environment: NodeJS.ProcessEnv, folder: string): Promise<string> {
  const home = pickHome(environment, folder);
  return serviceSettings(await readDevFile(home), home);
}
