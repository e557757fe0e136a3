// The exports of the published package.
export { exitCodes } from './faults.js';
export type { Host } from './host.js';
export { runCli } from './run-cli.js';
export type { Writer } from './terminal.js';
