import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { latencyOf } from '../report/percentile.js';
import { type Sample, rowOf } from '../report/rounds.js';
import type { Finding, Row } from '../report/row.js';
import { installPeers } from '../peers/install-peers.js';
import { type Peer, type PeerServers, peers } from '../peers/peers.js';
import { type BenchPlatform, openBenchPlatform } from '../setup/bench-platform.js';
import { finding } from './measured.js';
import { type Mix, mixesOf, send, warmUpRuns } from './mix.js';
import type { Measure } from './part.js';
import { installedPostgres } from './stock.js';

const callers = [8, 32];
const pollMs = 25;
const patienceMs = 120_000;
const services = /^(api-gateway|mcp-gateway|oauth|run-worker|webhook-dispatcher)/;

/**
 * The same work by engines that a team could use in its place: a job is accepted over HTTP, stored, executed by a worker, and
 * its result is stored. All services of the platform run with default limits; they are stopped while another engine is measured.
 */
export const measurePeers =
  (signal: AbortSignal): Measure =>
  async (_setup, { rounds, runs }) => {
    const loader = await installPeers(join(process.cwd(), '.lensforge', 'peers'));
    const installed = process.env['LENSFORGE_POSTGRES_BIN'] ?? installedPostgres();
    const setup = await openBenchPlatform(signal, 1, {
      defaultLimits: true,
      ...(installed !== undefined && { postgres: { installed } }),
    });
    try {
      const { free } = await mixesOf(setup);
      await send(setup, 'ours', free, { connections: 32, count: runs });
      const body = setup.subjects.baseline.accept().body ?? '';
      const servers = { databaseUrl: setup.platform.databaseUrl, loader, body };
      const ours: Sample[] = [];
      const theirs = new Map(peers.map((peer) => [peer, [] as Sample[]]));
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await measureOurs(setup, free, runs));
        for (const [peer, samples] of theirs) samples.push(await measurePeer(setup, peer, { servers, runs }));
      }
      const server = setup.servers['postgres']?.split(',')[0] ?? '';
      return [...theirs].flatMap(([peer, samples]) => toRows(peer, server, { ours, baseline: samples }));
    } finally {
      await setup.close();
    }
  };

async function measureOurs(setup: BenchPlatform, mix: Mix, runs: number): Promise<Sample> {
  const sample: Record<string, Finding> = {};
  for (const connections of callers) {
    await setup.clear();
    await setup.subjects.ours.queue.resume();
    await send(setup, 'ours', mix, { connections, count: warmUpRuns });
    const { totalMs, accepting } = await send(setup, 'ours', mix, { connections, count: runs });
    sample[`${connections} completed`] = finding((runs / totalMs) * 1000);
    sample[`${connections} accept p99`] = finding(accepting.p99);
  }
  return sample;
}

async function measurePeer(
  setup: BenchPlatform,
  peer: Peer,
  { servers, runs }: { servers: PeerServers; runs: number },
): Promise<Sample> {
  const resume = stopServices(setup);
  const engine = await peer.start(servers);
  const sendAll = async (connections: number, jobs: number) => {
    const before = await engine.count();
    const since = performance.now();
    const load = { calls: [engine.accept], pauseMs: 0, connections, count: jobs };
    const { latencies } = await setup.load.carryOut({ kind: 'timed', ...load });
    while ((await engine.count()) < before + jobs) {
      if (performance.now() - since > patienceMs) throw new Error(`${peer.name}: not all of ${jobs} jobs ended`);
      await pause(pollMs);
    }
    return { totalMs: performance.now() - since, accepting: latencyOf(latencies) };
  };
  try {
    const sample: Record<string, Finding> = {};
    for (const connections of callers) {
      await sendAll(connections, warmUpRuns);
      const { totalMs, accepting } = await sendAll(connections, runs);
      sample[`${connections} completed`] = finding((runs / totalMs) * 1000);
      sample[`${connections} accept p99`] = finding(accepting.p99);
    }
    return sample;
  } finally {
    await engine.stop();
    resume();
  }
}

/** Stops our services, so that an idle platform takes nothing from another engine; returns what lets them go on. */
function stopServices(setup: BenchPlatform): () => void {
  const pids = Object.entries(setup.pids()).flatMap(([name, pid]) => (services.test(name) ? [pid] : []));
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

const toRows = ({ name, isDurable }: Peer, server: string, found: Parameters<typeof rowOf>[1]): Row[] =>
  callers.flatMap((connections) => {
    const group = `On ${server}, against ${name} as baseline: one account, ${connections} callers`;
    const target = { of: 'ratio', least: 1 } as const;
    return [
      rowOf(
        { group, name: 'completed', unit: '/s', ...(connections === 32 && isDurable && { target }) },
        found,
        `${connections} completed`,
      ),
      rowOf({ group, name: 'time to accept, p99', unit: 'ms' }, found, `${connections} accept p99`),
    ];
  });
