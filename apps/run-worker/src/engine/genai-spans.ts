import { inSpan, recordSpan } from '@lensforge/edge';
import type { Sampling } from '@lensforge/contracts';
import type { TokenUsage } from '@lensforge/models';
import { type Attributes, SpanKind } from '@opentelemetry/api';
import { ProviderFault, type ProviderRequest } from '../providers/provider.js';

// Spans by the OpenTelemetry conventions for generative AI. Prompts, answers, titles, arguments and keys are in none of them.

/** The version of a lens from which a request to a model comes. */
export interface LensOfRequest {
  id: string;
  semver: string;
}

type SpanOfModel = Pick<ProviderRequest, 'model' | 'sampling'> &
  Partial<Pick<ProviderRequest, 'maxOutputTokens'>> & {
    operation?: 'chat' | 'embeddings';
    lens?: LensOfRequest | undefined;
    /** True when the answer must be JSON. */
    isJson?: boolean;
  };

interface Read {
  usage: TokenUsage | undefined;
  finishReason?: string | undefined;
}

/** The defined ones. */
const present = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

const describeUsage = ({ input, output, cachedInput = 0, cacheWrite = 0, reasoning }: TokenUsage): Attributes =>
  present({
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cachedInput,
    'gen_ai.usage.cache_creation.input_tokens': cacheWrite,
    'gen_ai.usage.reasoning.output_tokens': reasoning,
  });

/** Providers by the names that the conventions have for them. */
const providerNames: Readonly<Record<string, string>> = { google: 'gcp.gemini' };

export const toProviderName = (key: string): string => providerNames[key] ?? key;

/** Runs a call of a provider in a client span. */
export function inModelSpan<T extends Read>(
  provider: string,
  { model, operation = 'chat', sampling, maxOutputTokens, lens, isJson = false }: SpanOfModel,
  work: () => Promise<T>,
): Promise<T> {
  const { temperature, topP, seed, stop }: Sampling = sampling ?? {};
  const attributes = present({
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': toProviderName(provider),
    'gen_ai.request.model': model,
    'gen_ai.request.stream': operation === 'chat' ? true : undefined,
    'gen_ai.request.max_tokens': maxOutputTokens,
    'gen_ai.request.temperature': temperature,
    'gen_ai.request.top_p': topP,
    'gen_ai.request.seed': seed,
    'gen_ai.request.stop_sequences': stop,
    'gen_ai.output.type': isJson ? 'json' : undefined,
    'gen_ai.prompt.name': lens && `lens:${lens.id}`,
    'lensforge.prompt.version': lens?.semver,
  });
  return inSpan(`${operation} ${model}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      const read = await work();
      const { usage, finishReason } = read;
      if (finishReason !== undefined) span.setAttribute('gen_ai.response.finish_reasons', [finishReason]);
      if (usage) span.setAttributes(describeUsage(usage));
      return read;
    } catch (reason) {
      span.setAttribute('error.type', reason instanceof ProviderFault ? reason.kind : 'stopped');
      throw reason;
    }
  });
}

export interface EndedWorkflow {
  workflowId: string;
  runId: string;
  traceparent: string | null;
  startedAt: number;
  endedAt: number;
  errorCode: string | undefined;
}

/** Sends the span of a workflow run, whose nodes several workers have executed. */
export function recordWorkflowSpan({
  workflowId,
  runId,
  traceparent,
  startedAt,
  endedAt,
  errorCode,
}: EndedWorkflow): void {
  const attributes = present({
    'gen_ai.operation.name': 'invoke_workflow',
    'gen_ai.workflow.name': `workflow:${workflowId}`,
    'lensforge.run.id': runId,
    'error.type': errorCode,
  });
  const parent = traceparent ?? undefined;
  recordSpan(`invoke_workflow workflow:${workflowId}`, {
    attributes,
    parent,
    startedAt,
    endedAt,
    hasFailed: errorCode !== undefined,
  });
}
