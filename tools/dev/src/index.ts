export { CannotStart } from './cannot-start.js';
export { runCommand, type Command } from './command.js';
export type { DemoUser } from './demo-data.js';
export { demoParams } from './demo-params.js';
export type { Pids } from './fleet.js';
export { openLog, type Log } from './log.js';
export { startPlatform, type Platform } from './platform.js';
export type { PlatformOptions } from './platform-options.js';
export type { ServiceKind } from './services.js';
