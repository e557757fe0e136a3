import { connections, isWorker, loadPeer, rowCounter, serveAccepting, serveCount, url } from './peer-program.js';

interface Boss {
  start(): Promise<unknown>;
  createQueue(name: string): Promise<unknown>;
  send(name: string, data: object): Promise<unknown>;
  work(name: string, options: object, handle: (jobs: unknown[]) => Promise<object>): Promise<unknown>;
}

// Its fastest settings for jobs that take no time: several workers that take many jobs at once, as often as it allows.
const workers = 4;
const batch = { batchSize: 100, pollingIntervalSeconds: 0.5 };

const { default: PgBoss } = await loadPeer<{ default: new (options: object) => Boss }>('pg-boss');
const boss = new PgBoss({ connectionString: url, max: connections, supervise: isWorker, schedule: false });
await boss.start();
await boss.createQueue('jobs');
if (isWorker) {
  for (let at = 0; at < workers; at += 1) await boss.work('jobs', batch, () => Promise.resolve({ done: true }));
  serveCount(rowCounter(`pgboss.job where name = 'jobs' and state = 'completed'`));
} else {
  await serveAccepting((body) => boss.send('jobs', body));
}
