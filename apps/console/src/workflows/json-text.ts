import { workflowsTexts } from '../view-texts/workflows';

/** The value of a text that a person wrote as JSON; throws with a message for that person. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch (error) {
    throw new Error(`${workflowsTexts.badJson}: ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
}
