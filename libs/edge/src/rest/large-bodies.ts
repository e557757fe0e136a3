import type { onRequestHookHandler } from 'fastify';
import { HttpFault } from './rest-errors.js';

const maxConcurrent = 2;

/** Accepts only a few bodies larger than `usualBytes` at a time, to bound the memory that they use. */
export function limitLargeBodies(usualBytes: number): onRequestHookHandler {
  let concurrent = 0;
  return ({ headers }, { raw }, done) => {
    if (Number(headers['content-length'] ?? Infinity) <= usualBytes) {
      done();
      return;
    }
    if (concurrent >= maxConcurrent) {
      done(tooManyLargeBodies());
      return;
    }
    concurrent += 1;
    raw.once('close', () => (concurrent -= 1));
    done();
  };
}

const tooManyLargeBodies = (): HttpFault =>
  new HttpFault(503, 'service_unavailable', 'Too many large bodies are being read; try again in a second', {
    headers: {
      'retry-after': '1',
    },
  });
