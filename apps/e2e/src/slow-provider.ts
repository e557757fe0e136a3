import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Context } from '@lensforge/core';
import { importModels } from '@lensforge/models';
import { until } from '@lensforge/testing';

/** The behaviour of a call, by model. */
const manners: Record<string, (response: ServerResponse) => void> = {
  'never-answers': () => undefined,
  'drips-bytes': (response) => {
    const timer = setInterval(() => response.write(':'), 1000);
    response.on('close', () => clearInterval(timer));
  },
  'drips-words': (response) => {
    const frame = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'x' };
    const choices = [{ index: 0, delta: { content: 'and ' }, finish_reason: null }];
    const timer = setInterval(() => response.write(`data: ${JSON.stringify({ ...frame, choices })}\n\n`), 1000);
    response.on('close', () => clearInterval(timer));
  },
};

export const slowModels = Object.keys(manners);

export interface SlowProvider {
  environment: Record<string, string>;
  /** The runs whose calls have begun, and the time at which the platform aborted them. */
  calls: ReadonlyMap<string, { endedAt: number | undefined }>;
  /** Adds its models to the catalogue, and waits until a worker offers them. */
  offer(ctx: Context): Promise<void>;
  close(): void;
}

/** A provider that never finishes its response. */
export async function openSlowProvider(): Promise<SlowProvider> {
  const calls = new Map<string, { endedAt: number | undefined }>();
  const server = createServer((request, response) => {
    const [runId = ''] = String(request.headers['idempotency-key']).split(':');
    calls.set(runId, { endedAt: undefined });
    response.on('close', () => calls.set(runId, { endedAt: performance.now() }));
    response.on('error', () => undefined);
    void json(request).then((body) => {
      const model = String((body as { model?: unknown }).model);
      if (model !== 'never-answers') response.writeHead(200, { 'content-type': 'text/event-stream' });
      manners[model]?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    environment: {
      LENSFORGE_OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      LENSFORGE_EGRESS_ALLOW: 'loopback',
    },
    calls,
    offer: async (ctx) => {
      const price = { creditsPer1kInput: 1000, creditsPer1kOutput: 1000, maxOutputTokens: 50 };
      await importModels(
        ctx,
        slowModels.map((key) => ({ provider: 'openai-compatible', key, ...price })),
      );
      const isOffered = `select true from providers where key = 'openai-compatible'`;
      await until(async () => (await ctx.db.query<unknown[]>(isOffered)).length > 0, { what: 'the slow provider' });
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
