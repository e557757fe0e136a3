import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nothingFound } from '../audit.js';
import { TestPlatform } from '../test-platform.js';
import { loadDuring } from './load.js';
import { type PostgresPair, installedPostgres, startHaproxy, startPair } from './postgres-pair.js';
import { type Program, describeWith, temporaryFolder } from './programs.js';

const describeInstalled = installedPostgres() === undefined ? describe.skip : describeWith(['haproxy']);
if (installedPostgres() === undefined) process.stderr.write('skipped, as no PostgreSQL is installed: failover\n');

describeInstalled('PostgreSQL with a standby behind HAProxy', () => {
  const folder = temporaryFolder();
  let pair: PostgresPair | undefined;
  let haproxy: Program | undefined;
  let setup: TestPlatform | undefined;

  beforeAll(async () => {
    pair = await startPair(folder, { reads: false });
    const { url, port } = pair.primary;
    const proxy = await startHaproxy(folder, { url, ports: [port, pair.standbyPort] });
    haproxy = proxy.program;
    setup = await TestPlatform.open({ allInOne: true, databaseUrl: proxy.url });
  });
  afterAll(async () => {
    await setup?.close();
    await haproxy?.stop();
    await pair?.standby.stop();
    await pair?.primary.stop();
    folder.remove();
  });

  it('loses no run and breaks no stream when the primary crashes and the standby is promoted', async () => {
    const platform = setup as TestPlatform;
    const { primary, promote } = pair as PostgresPair;
    const before = platform.platform.pids;
    await loadDuring(platform, async () => {
      await pause(1000);
      process.kill(primary.pid, 'SIGQUIT');
      await primary.ended;
      promote();
      await pause(3000);
    });
    expect(platform.platform.pids).toEqual(before);
    expect(await platform.findings()).toEqual(nothingFound);
  });
});
