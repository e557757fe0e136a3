import type { Context } from '@lensforge/core';
import type { Conversation, Message, ToolAnswer, ToolCall } from '@lensforge/models';
import { readAnsweredCalls } from '@lensforge/runs';
import type { Dialog } from './dialog.js';
import { refuse } from './requests.js';
import { readCallId } from './tool-call-ids.js';

/** The conversation that a model gets: the instructions, the first message of the user, and the turns after it. */
export async function toConversation(
  ctx: Context,
  { system, turns: given }: Dialog,
  path: string,
): Promise<Conversation> {
  const turns = await withCallsOfProviders(ctx, given);
  requireOrder(turns, path);
  const [first, ...messages] = turns;
  // Some programs send instructions alone.
  const instructions = first ? system : system.slice(0, -1);
  const prompt = first?.role === 'user' ? first.text : system.at(-1);
  if (first && first.role !== 'user')
    throw refuse(path, 'must begin with a message of the user, after the instructions');
  if (prompt === undefined) throw refuse(path, 'must have a message of the user');
  return {
    prompt,
    ...(instructions.length > 0 && { system: instructions.join('\n\n') }),
    ...(first?.images && { images: first.images }),
    ...(messages.length > 0 && { messages }),
  };
}

/** Every result answers a call of the turn before it, as providers demand. */
function requireOrder(turns: readonly Message[], path: string): void {
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== 'tool') continue;
    const before = turns[index - 1];
    const calls = before?.role === 'assistant' ? before.toolCalls.map(({ id }) => id) : [];
    const stray = turn.results.find(({ callId }) => !calls.includes(callId));
    if (stray)
      throw refuse(
        path,
        `has a result for the call ${stray.callId.slice(0, 100)}, which the message before it does not make`,
      );
  }
}

/**
 * Calls with the ids and data of their providers: programs send back only our id, the name and the arguments, and some models
 * refuse a call without the data that they sent with it.
 */
async function withCallsOfProviders(ctx: Context, turns: readonly Message[]): Promise<Message[]> {
  const runIds = new Set<string>();
  for (const turn of turns) {
    if (turn.role !== 'assistant') continue;
    for (const { id } of turn.toolCalls) {
      const ref = readCallId(id);
      if (ref?.kind === 'answer') runIds.add(ref.runId);
    }
  }
  if (runIds.size === 0) return [...turns];
  const answered = await readAnsweredCalls(ctx, [...runIds]);
  const storedOf = (id: string): ToolCall | undefined => {
    const ref = readCallId(id);
    return ref?.kind === 'answer' ? (answered.get(ref.runId)?.[ref.index] as ToolCall | undefined) : undefined;
  };
  const toCall = (call: ToolCall): ToolCall => {
    const { id = call.id, metadata } = storedOf(call.id) ?? {};
    return { ...call, id, ...(metadata && { metadata }) };
  };
  const toResult = (result: ToolAnswer): ToolAnswer => ({
    ...result,
    callId: storedOf(result.callId)?.id ?? result.callId,
  });
  return turns.map((turn): Message => {
    if (turn.role === 'assistant') return { ...turn, toolCalls: turn.toolCalls.map(toCall) };
    return turn.role === 'tool' ? { ...turn, results: turn.results.map(toResult) } : turn;
  });
}
