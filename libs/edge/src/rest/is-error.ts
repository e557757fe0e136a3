import { types } from 'node:util';

/** True also for errors of another realm, such as those of Node's sockets, and for Fastify's own. */
export const isError = (value: unknown): value is Error => value instanceof Error || types.isNativeError(value);
