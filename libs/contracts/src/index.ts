import 'reflect-metadata';

export * from './endpoints.js';
export * from './envelope.js';
export * from './error-codes.js';
export * from './field.js';
export * from './health.js';
export * from './jobs.js';
export * from './json-schema.js';
export { faultInJson } from './json-rules.js';
export * from './kinds.js';
export * from './parse.js';
export * from './platform-events.js';
export * from './run-events.js';
export * from './runs.js';
export * from './scopes.js';
