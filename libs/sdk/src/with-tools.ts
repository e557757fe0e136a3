import { ConflictError } from './errors.js';
import type { RunsMethods } from './generated/resources.js';
import type { PlatformRunStatus, RequiredCall, ToolResult } from './generated/shapes.js';
import type { WaitOptions } from './wait.js';

/** Functions by the names of tools. What one throws reaches the model as the reason why it has no result. */
export type Tools = Readonly<Record<string, (input: Record<string, unknown>) => unknown>>;

export type RunWithTools = (runId: string, tools: Tools, options?: WaitOptions) => Promise<PlatformRunStatus>;

/** Follows a run to its end like `wait`, and performs the tool calls that it waits for, those of an answer side by side. */
export const runWithTools =
  (runs: RunsMethods): RunWithTools =>
  async (runId, tools, { onEvent, ...options } = {}) => {
    const { signal } = options;
    const answered = new Set<string>();
    for await (const event of runs.events(runId, {}, options)) {
      onEvent?.(event);
      if (event.eventType !== 'run.requires_action') continue;
      const { requiredAction } = await runs.get(runId, { signal });
      const calls = (requiredAction?.calls ?? []).filter(({ callId }) => !answered.has(callId));
      const results = await Promise.all(calls.map((call) => perform(tools, call)));
      if (results.length > 0) await send(results);
      for (const { callId } of calls) answered.add(callId);
    }
    return runs.get(runId, { signal });

    /** Another process may have answered some of the calls; then each of the others is sent alone. */
    async function send(results: ToolResult[]): Promise<void> {
      try {
        await runs.answerToolCalls(runId, { results }, { signal });
      } catch (reason) {
        if (!(reason instanceof ConflictError)) throw reason;
        if (results.length > 1) for (const result of results) await send([result]);
      }
    }
  };

async function perform(tools: Tools, { callId, name, input }: RequiredCall): Promise<ToolResult> {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!tool) return { callId, error: `This caller has no tool ${name}` };
  try {
    return { callId, output: (await tool(input as Record<string, unknown>)) ?? null };
  } catch (reason) {
    const message = reason instanceof Error ? reason.message : String(reason);
    return { callId, error: message.slice(0, 10_000) || 'The tool failed' };
  }
}
