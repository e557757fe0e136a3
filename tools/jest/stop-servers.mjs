import { rm } from 'node:fs/promises';
import stopBrowser from './stop-browser.mjs';

export default async function stopServers() {
  const { home, servers = [] } = globalThis.lensforgeTestServers ?? {};
  await Promise.all([stopBrowser(), ...servers.map((server) => server.stop())]);
  if (home) await rm(home, { recursive: true, force: true });
}
