export * from './actor.js';
export * from './clock.js';
export * from './context.js';
export * from './domain-error.js';
export * from './gather.js';
export * from './ids.js';
export * from './paging.js';
export * from './state-machine.js';
