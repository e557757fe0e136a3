import { costOfRequest } from '@lensforge/judges';
import type { Priced } from '@lensforge/models';

/** The bytes of a prompt apart from the texts of its data: the rules, a criterion with anchors, quotes. */
const rulesBytes = 4000;

export interface TextSizes {
  /** The bytes of the task. */
  task: number;
  /** The bytes of each text, as far as a judge reads it. */
  texts: readonly number[];
}

/** The expected cost of judgements with one request each; `compared` texts are in each prompt. */
export function expectedCost(
  judge: Priced,
  { total, compared, sizes: { task, texts } }: { total: number; compared: 1 | 2; sizes: TextSizes },
): number {
  if (total === 0) return 0;
  const mean = texts.reduce((sum, bytes) => sum + bytes, 0) / texts.length;
  return total * costOfRequest(judge, rulesBytes + task + compared * mean);
}
