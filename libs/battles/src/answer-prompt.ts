import type { AiLenser } from '@lensforge/contracts';
import type { StoredContender } from './contender.entity.js';

/** The prompt of a contender without a lens or workflow: the task, and for an agent its instructions before it. */
export function answerPrompt(
  { contenderType }: Pick<StoredContender, 'contenderType'>,
  { instructions = '' }: Pick<AiLenser, 'instructions'>,
  taskPrompt: string,
): string {
  if (contenderType === 'ai_model' || instructions.trim() === '') return taskPrompt;
  return `<instructions>
${instructions}
</instructions>

Follow these instructions in your answer to the task below. Answer with the text of your entry alone.

<task>
${taskPrompt}
</task>`;
}
