import { types } from 'node:util';

/** Fastify's errors are made by hand, and those of Node's sockets may come from another realm. */
export const isError = (value: unknown): value is Error => value instanceof Error || types.isNativeError(value);
