import { connections, isWorker, loadPeer, rowCounter, serveAccepting, serveCount, url } from './peer-program.js';

interface Dbos {
  DBOS: {
    setConfig(config: object): void;
    registerWorkflow(work: (body: object) => Promise<object>, options: object): unknown;
    launch(): Promise<void>;
    registerQueue(name: string): Promise<unknown>;
  };
  DBOSClient: { create(options: object): Promise<{ enqueue(options: object, body: object): Promise<unknown> }> };
}

const { DBOS, DBOSClient } = await loadPeer<Dbos>('@dbos-inc/dbos-sdk');
if (isWorker) {
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: url,
    systemDatabasePoolSize: connections,
    runAdminServer: false,
    logLevel: 'error',
  });
  DBOS.registerWorkflow(() => Promise.resolve({ done: true }), { name: 'job' });
  await DBOS.launch();
  await DBOS.registerQueue('jobs');
  serveCount(rowCounter(`dbos.workflow_status where status = 'SUCCESS'`));
} else {
  const client = await DBOSClient.create({ systemDatabaseUrl: url });
  await serveAccepting((body) => client.enqueue({ workflowName: 'job', queueName: 'jobs' }, body));
}
