import { readBatchPolicy } from '@lensforge/contracts';
import { withDbRetry } from '@lensforge/database';
import { readBatchCall } from '@lensforge/evaluation';
import { type ChosenModel, atBatchRates } from '@lensforge/models';
import { ProviderFault, type ProviderRequest } from '../providers/provider.js';
import type { ModelAnswer, ModelRequest, ModelRequestOptions, ModelRequestParts } from './model-request.js';
import { readJson } from './read-json.js';
import { type ReadAnswer, readStream } from './read-stream.js';
import { RunFailure, failureOfProvider } from './run-failure.js';

/** Ends an attempt whose request waits for a batch; its run is continued when there is an answer. */
export class WaitsForBatch extends Error {
  override readonly name = 'WaitsForBatch';

  constructor(
    readonly provider: string,
    readonly model: string,
    /** The body for the provider; a fault when there can be none. */
    readonly request: { body: unknown } | { fault: string },
    readonly until: Date,
  ) {
    super('the request waits for its batch');
  }
}

export interface BatchedRequest {
  model: ChosenModel;
  request: ModelRequest;
  options: ModelRequestOptions;
  call: ProviderRequest;
  live: (options: ModelRequestOptions) => Promise<ModelAnswer>;
}

/** Reads the answer of a batch at its rates, asks live when the batch has none, or throws WaitsForBatch before there is one. */
export async function requestInBatch(
  { ctx, providers }: ModelRequestParts,
  { model, request, options, call, live }: BatchedRequest,
): Promise<ModelAnswer> {
  const { runId = '', cause, outputSchema, unchecked } = request;
  const stored = await withDbRetry(() => readBatchCall(ctx, runId));
  if (stored?.state === 'live') return live(options);
  if (stored?.state === 'failed' && stored.isResumed) throw new RunFailure('BUDGET_EXCEEDED', stored.error ?? '');
  const { providerKey, key } = model;
  const service = providers.get(providerKey)?.batches;
  if (stored?.state !== 'answered') {
    const until = new Date(readBatchPolicy(cause)?.until ?? 0);
    const body = service
      ? await service.compose(call).then(
          (composed) => ({ body: composed }),
          (reason: unknown) => ({ fault: reason instanceof ProviderFault ? reason.message : 'it cannot be written' }),
        )
      : { fault: `the provider ${providerKey} has no batch service` };
    throw new WaitsForBatch(providerKey, key, body, until);
  }
  if (!service)
    throw new RunFailure('PROVIDER_UNKNOWN', `This worker cannot read batches of ${providerKey}`, { retry: {} });
  options.beforeCall?.();
  const read: ReadAnswer = { text: '', usage: undefined, toolCalls: [] };
  const atRates = atBatchRates(model);
  try {
    await readStream(service.read(call, stored.answer), read, {
      signal: options.signal,
      onDelta: options.onDelta,
      onToolInput: options.onToolInput,
      updateLimits: (part) => 'rates' in part,
      stop: call.sampling?.stop ?? [],
    });
  } catch (reason) {
    options.signal.throwIfAborted();
    throw reason instanceof RunFailure ? reason : failureOfProvider(providerKey, reason);
  }
  const { text, toolCalls, finishReason, usage = { input: 0, output: 0 } } = read;
  const used = { model: atRates, usage };
  options.onOutput?.(() => Promise.resolve(used));
  const json = outputSchema && !unchecked && { value: readJson(text, outputSchema) };
  return { text, ...(json && { json }), toolCalls, finishReason, ...used };
}
