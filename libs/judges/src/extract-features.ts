import { SandboxFault, type TaskLimits, sandboxTasks } from '@lensforge/sandbox';
import type { featureTasks } from './feature-tasks.js';
import { type TextFeatures, measureText, noFeatures } from './text-features.js';

const run = sandboxTasks<typeof featureTasks>(import.meta.dirname, 'feature-tasks.js');

/** Texts up to this length are measured in about 2 ms, less than a task of the sandbox takes. */
const shortCharacters = 4000;

/**
 * Measures the features of a text for the offline judge, a long one in the sandbox. A text that exceeds a limit there has
 * none. Throws SandboxFault for other reasons.
 */
export async function extractFeatures(task: string, text: string, limits: TaskLimits): Promise<TextFeatures> {
  if (task.length + text.length <= shortCharacters) return measureText(task, text);
  try {
    return await run('measureText', { task, text }, limits);
  } catch (reason) {
    if (reason instanceof SandboxFault && (reason.kind === 'too_slow' || reason.kind === 'too_much_memory')) {
      return noFeatures;
    }
    throw reason;
  }
}
