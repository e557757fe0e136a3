import { gzip } from 'node:zlib';
import type { FastifyReply, onSendHookHandler } from 'fastify';
import { negotiateEncoding } from './header-values.js';

/** Below this length, compression costs more than it saves. */
const leastLength = 1024;

/** Compresses longer JSON for clients that accept gzip; streams of events stay as they are. */
export const compressJson: onSendHookHandler = (request, reply, payload, done) => {
  if (typeof payload !== 'string' || payload.length < leastLength || !isPlainJson(reply)) return done(null, payload);
  if (!negotiateEncoding(request, reply).includes('gzip')) return done(null, payload);
  gzip(payload, { level: 4 }, (error, compressed) => {
    if (!error) reply.header('content-encoding', 'gzip');
    done(null, error ? payload : compressed);
  });
};

const isPlainJson = (reply: FastifyReply): boolean =>
  !reply.hasHeader('content-encoding') && String(reply.getHeader('content-type')).startsWith('application/json');
