import type { LensSettings } from '@lensforge/contracts';

/** Settings in the members that a request to the chat completions of OpenAI has, as far as there are any. */
export function toOpenAiMembers({ models, sampling = {}, tools, outputSchema }: LensSettings): Record<string, unknown> {
  const { temperature, topP, maxOutputTokens, stop, seed, reasoningEffort } = sampling;
  const ofCallers = tools?.filter(({ inputSchema }) => inputSchema !== undefined) ?? [];
  const members = {
    model: models?.[0]?.slice(models[0].indexOf('/') + 1),
    temperature,
    top_p: topP,
    max_completion_tokens: maxOutputTokens,
    stop,
    seed,
    reasoning_effort: reasoningEffort,
    tools:
      ofCallers.length === 0
        ? undefined
        : ofCallers.map(({ name, description, inputSchema }) => ({
            type: 'function',
            function: { name, ...(description !== undefined && { description }), parameters: inputSchema },
          })),
    response_format: outputSchema && { type: 'json_schema', json_schema: { name: 'answer', schema: outputSchema } },
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
