import { type Context, platformActor } from '@lensforge/core';
import { readableAiLenser } from '@lensforge/identity';

/** The system prompt of an agent that answers; undefined without instructions. Only the provider may get it. */
export async function readSystemPrompt(
  ctx: Context,
  aiLenserId: string,
  cause: object | null | undefined,
): Promise<string | undefined> {
  const { instructions = '' } = await readableAiLenser({ ...ctx, actor: platformActor }, aiLenserId);
  if (instructions.trim() === '') return undefined;
  const isEntry = cause && 'kind' in cause && cause.kind === 'battle';
  return isEntry ? `${instructions}\n\nAnswer the task with the text of your entry alone.` : instructions;
}
