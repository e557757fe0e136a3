import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outgoingFetch } from '../../src/providers/outgoing.js';
import type { EmbeddingRequest, Embeddings, Provider } from '../../src/providers/provider.js';
import { protocols } from './protocols.js';
import { type Scene, type WireServer, aWireServer, refuses } from './wire-server.js';

let server: WireServer;
beforeAll(async () => {
  server = await aWireServer();
});
afterAll(() => server.close());

const apiKey = 'sk-canary-0123456789abcdef';
const fetch = outgoingFetch({ to: 'operators', allow: 'loopback', firstByteMs: 20_000, idleMs: 20_000 });

const answers =
  (body: object): Scene =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };

const ofOpenAi = (vectors: number[][]): object => ({
  object: 'list',
  model: 'some-model',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  usage: { prompt_tokens: 7, total_tokens: 7 },
});

/** The wire formats, as the documentations give them. */
const formats: Record<
  string,
  { path: RegExp; sent: object; answer: (vectors: number[][]) => object; tokens?: number }
> = {
  openai: {
    path: /^\/v1\/embeddings$/,
    sent: { model: 'some-model', input: ['one', 'two'], dimensions: 2 },
    answer: ofOpenAi,
    tokens: 7,
  },
  'openai-compatible': {
    path: /\/embeddings$/,
    sent: { model: 'some-model', input: ['one', 'two'], dimensions: 2 },
    answer: ofOpenAi,
    tokens: 7,
  },
  google: {
    path: /models\/some-model:batchEmbedContents$/,
    sent: { requests: [expect.objectContaining({ outputDimensionality: 2 }), expect.anything()] },
    answer: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
  },
};

const withEmbeddings = protocols.filter(({ key }) => key in formats);

describe.each(withEmbeddings.map((protocol) => [protocol.key, protocol] as const))(
  'embeddings of %s',
  (key, protocol) => {
    const format = formats[key];
    const open = (): Provider =>
      protocol.open({ apiKey, baseUrl: `${server.url}${protocol.base}`, fetch, fetchForUsers: fetch });
    const embed = (more: Partial<EmbeddingRequest> = {}): Promise<Embeddings> => {
      const request = { model: 'some-model', texts: ['one', 'two'], idempotencyKey: 'run:prompt', ...more };
      return open().embed?.(request, new AbortController().signal) ?? Promise.reject(new Error('there are none'));
    };

    it('are asked for and read', async () => {
      const vectors = [
        [0.25, -1],
        [0.5, 2],
      ];
      server.play(answers(format?.answer(vectors) ?? {}));
      expect(await embed({ dimensions: 2 })).toMatchObject({ vectors, tokens: format?.tokens });
      const [received] = server.received;
      expect(received?.path).toMatch(format?.path ?? /^$/);
      expect(received?.body).toMatchObject(format?.sent ?? {});
      expect(received?.headers).toMatchObject({ 'idempotency-key': 'run:prompt' });
      expect(JSON.stringify(protocol.keyIn(received?.headers ?? {}))).toContain(apiKey);
    });

    it('are told as the faults of the provider, without its key', async () => {
      for (const what of ['limited', 'unauthorized', 'unavailable'] as const) {
        const { status, body } = protocol.trouble(what);
        server.play(refuses(status, body));
        await expect(embed()).rejects.toMatchObject({ kind: what, message: expect.not.stringContaining('canary') });
      }
      server.play(answers({ nothing: true }));
      await expect(embed()).rejects.toMatchObject({ kind: 'broken' });
      server.play(answers(format?.answer([[1, 2]]) ?? {}));
      await expect(embed()).rejects.toMatchObject({ kind: 'broken', message: expect.stringContaining('lacks') });
    });
  },
);
