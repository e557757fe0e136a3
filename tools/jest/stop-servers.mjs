import { rm } from 'node:fs/promises';

export default async function stopServers() {
  const { home, servers = [] } = globalThis.lensforgeTestServers ?? {};
  await Promise.all(servers.map((server) => server.stop()));
  if (home) await rm(home, { recursive: true, force: true });
}
