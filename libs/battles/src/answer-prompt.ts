import { type Context, platformActor } from '@lensforge/core';
import { readableAiLenser } from '@lensforge/identity';

/** The system prompt of an agent that writes an entry; undefined without instructions. Only the provider may get it. */
export async function readSystemPrompt(ctx: Context, aiLenserId: string): Promise<string | undefined> {
  const { instructions = '' } = await readableAiLenser({ ...ctx, actor: platformActor }, aiLenserId);
  if (instructions.trim() === '') return undefined;
  return `${instructions}\n\nAnswer the task with the text of your entry alone.`;
}
