import pg from 'pg';
import { connections, isWorker, loadPeer, rowCounter, serveAccepting, serveCount, url } from './peer-program.js';

interface GraphileWorker {
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>;
    addJob(name: string, payload: object): Promise<unknown>;
  }>;
  run(options: object): Promise<unknown>;
}

const worker = await loadPeer<GraphileWorker>('graphile-worker');
const pgPool = new pg.Pool({ connectionString: url, max: connections });
const utils = await worker.makeWorkerUtils({ pgPool });
if (isWorker) {
  await utils.migrate();
  // It deletes a job that is done, and keeps no result.
  await pgPool.query('create table if not exists results (id uuid primary key, result jsonb not null)');
  const job = async (): Promise<void> => {
    await pgPool.query({ name: 'end', text: `insert into results values (gen_random_uuid(), '{"done":true}')` });
  };
  await worker.run({ pgPool, concurrency: connections, noHandleSignals: true, taskList: { job } });
  serveCount(rowCounter('results'));
} else {
  await serveAccepting((body) => utils.addJob('job', body));
}
