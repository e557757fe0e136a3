import { type ByokOpener, finishByokTest } from '@lensforge/byok';
import type { ByokTestJob } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { usableModels } from '@lensforge/models';
import { ProviderFault } from './providers/provider.js';
import type { Providers } from './providers/providers.js';

export interface ByokTestParts {
  ctx: Context;
  opener: ByokOpener | undefined;
  providers: Providers;
  log: { warn(details: object, message: string): void };
}

interface TestResult {
  status: 'passed' | 'failed';
  message: string;
}

const timeoutMs = 10_000;

/** Tests BYOK keys with a short request to their provider. The gateway reads the result from the row of the key. */
export class ByokTests {
  constructor(private readonly parts: ByokTestParts) {}

  async run({ keyId, testId }: ByokTestJob): Promise<void> {
    const { parts } = this;
    const result = await testKey(parts, { keyId, testId });
    if (result) await withDbRetry(() => finishByokTest(parts.ctx.db, { keyId, testId, ...result }));
  }
}

async function testKey(
  { ctx, opener, providers, log }: ByokTestParts,
  { keyId, testId }: ByokTestJob,
): Promise<TestResult | undefined> {
  if (!opener) return failed('The worker has no LENSFORGE_BYOK_MASTER_KEY, so it cannot open BYOK keys');
  const [row] = await withDbRetry(() =>
    ctx.db.query<{ accountId: string; provider: string }[]>(
      `select account_id as "accountId", provider from byok_keys where id = $1 and test_id = $2 and revoked_at is null`,
      [keyId, testId],
    ),
  );
  if (!row) return undefined;
  const { accountId, provider: providerOverride } = row;
  const provider = providers.get(providerOverride);
  const endpointKeyId = providerOverride === 'openai-compatible' ? keyId : undefined;
  const models = await usableModels(ctx.db, { providerOverride, fundingSource: 'user_byok_cloud', endpointKeyId });
  const cheapest = models.toSorted((a, b) => a.creditsPer1kOutput - b.creditsPer1kOutput)[0];
  if (!provider || !cheapest) return failed(`This platform has no model of ${providerOverride} to try the key with`);
  try {
    const key = await opener.open(ctx.db, { keyId, accountId });
    if (!key) return undefined;
    const byok = { apiKey: key.secret.toString(), ...(key.baseUrl !== null && { baseUrl: key.baseUrl }) };
    key.secret.fill(0);
    const request = { model: cheapest.key, prompt: 'Say ok.', maxOutputTokens: 16, idempotencyKey: testId, ...byok };
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    try {
      for await (const part of provider.stream(request, controller.signal))
        if ('delta' in part || 'usage' in part) break;
      return controller.signal.aborted
        ? failed(`${providerOverride} did not answer within ${timeoutMs / 1000} s`)
        : { status: 'passed', message: `${providerOverride} answered with the model ${cheapest.key}` };
    } finally {
      clearTimeout(timer);
      controller.abort();
    }
  } catch (reason) {
    if (reason instanceof ProviderFault) return failed(`${providerOverride} says: ${reason.message}`);
    log.warn({ err: reason, keyId }, 'a BYOK key could not be tested');
    return failed('The key could not be tried');
  }
}

const failed = (message: string): TestResult => ({ status: 'failed', message: message.slice(0, 500) });
