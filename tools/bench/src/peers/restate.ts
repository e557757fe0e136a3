import { loadPeer, serveCount } from './peer-program.js';

interface Restate {
  service(definition: object): unknown;
  serve(options: object): Promise<unknown>;
}

// Its server accepts the jobs, keeps them and calls this program.
let done = 0;
const restate = await loadPeer<Restate>('@restatedev/restate-sdk');
const run = (): Promise<object> => {
  done += 1;
  return Promise.resolve({ done: true });
};
await restate.serve({
  services: [restate.service({ name: 'jobs', handlers: { run } })],
  port: Number(process.env['SERVICE_PORT']),
});
serveCount(() => Promise.resolve(done));
