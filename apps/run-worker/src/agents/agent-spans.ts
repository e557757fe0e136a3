import { inSpan } from '@lensforge/edge';
import type { Attributes } from '@opentelemetry/api';
import { toProviderName } from '../engine/genai-spans.js';
import { AgentFailure } from './agent-failure.js';

/** Runs the work of an agent in a span. */
export const inAgentSpan = <T>(
  { id, handle }: { id: string; handle: string },
  { provider, model }: { provider: string; model: string },
  work: () => Promise<T>,
): Promise<T> => {
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': toProviderName(provider),
    'gen_ai.request.model': model,
    'gen_ai.agent.id': id,
    'gen_ai.agent.name': handle,
  };
  return inFailingSpan(`invoke_agent ${handle}`, attributes, work);
};

/** Performs a tool call in a span. */
export const inToolSpan = <T>(
  { name, callId, isExternal }: { name: string; callId: string; isExternal: boolean },
  work: () => Promise<T>,
): Promise<T> => {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': callId,
    'gen_ai.tool.type': isExternal ? 'extension' : 'function',
  };
  return inFailingSpan(`execute_tool ${name}`, attributes, work);
};

const inFailingSpan = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  inSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (reason) {
      span.setAttribute('error.type', reason instanceof AgentFailure ? reason.outcome.code : 'stopped');
      throw reason;
    }
  });
