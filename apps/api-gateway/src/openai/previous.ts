import { isTerminal } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { Message, ToolCall } from '@lensforge/models';
import { conversationIn, readOpenAiRun } from '@lensforge/runs';
import { type AnswerResult, readResult } from './answer-result.js';
import { refuse } from './requests.js';
import type { ResponseEcho } from './response-form.js';

/** The turns of an earlier response, with its answer. */
export async function readPrevious(ctx: Context, runId: string): Promise<Message[]> {
  const run = await readOpenAiRun(ctx, runId);
  if (!isTerminal(run.status))
    throw refuse('previous_response_id', 'has not ended: wait for it, or send results of its tools');
  const answer = toTurn(await readResult(ctx, runId));
  const conversation = run.kind === 'prompt' ? conversationIn(run.params) : undefined;
  if (conversation) {
    const { prompt, images, messages = [] } = conversation;
    return [{ role: 'user', text: prompt, ...(images && { images }) }, ...messages, answer];
  }
  const { said } = run.request as Partial<ResponseEcho>;
  if (run.kind !== 'lens' || said === undefined)
    throw refuse('previous_response_id', 'is a response without a message of the user: send the messages in input');
  const history = (run.params['history'] ?? []) as { role: 'user' | 'assistant'; text: string }[];
  const before = history.map(({ role, text }): Message => {
    return role === 'user' ? { role, text } : { role, text, toolCalls: [] };
  });
  return [...before, { role: 'user', text: said }, answer];
}

const toTurn = ({ text, calls }: AnswerResult): Message => ({
  role: 'assistant',
  text,
  toolCalls: calls.map(({ id, name, arguments: given }): ToolCall => ({
    id,
    name,
    input: JSON.parse(given) as unknown,
  })),
});
