import 'reflect-metadata';

export * from './check-redis.js';
export * from './depth.js';
export { Handles, type JobContext } from './handles.js';
export * from './job-id.js';
export * from './jobs-known.js';
export type { Log } from './log.js';
export * from './outbox-metrics.js';
export * from './producer.js';
export * from './publisher.js';
export * from './redis.js';
export * from './relay.js';
export { scraped, type ScrapedGauge } from './scraped.js';
export * from './subscriber.js';
export * from './transport.js';
