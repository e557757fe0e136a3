import type { onRequestHookHandler } from 'fastify';
import { HttpFault } from './rest-errors.js';

const atOnce = 2;

/** Takes in few bodies that are larger than `usual` at a time, so that together they do not take the process's memory. */
export function fewLargeBodies(usual: number): onRequestHookHandler {
  let inHand = 0;
  return ({ headers }, { raw }, done) => {
    if (Number(headers['content-length'] ?? Infinity) <= usual) {
      done();
      return;
    }
    if (inHand >= atOnce) {
      done(tryAgain());
      return;
    }
    inHand += 1;
    raw.once('close', () => (inHand -= 1));
    done();
  };
}

const tryAgain = (): HttpFault =>
  new HttpFault(503, 'service_unavailable', 'Too many large bodies are being read; try again in a second', {
    'retry-after': '1',
  });
