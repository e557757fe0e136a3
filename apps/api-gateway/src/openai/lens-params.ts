import { type StoredVersion, paramKey } from '@lensforge/lenses';
import type { Message } from '@lensforge/models';
import type { Dialog } from './dialog.js';
import { refuse } from './requests.js';

interface Given {
  dialog: Dialog;
  /** The parameters as the request names them. */
  params: Record<string, unknown> | undefined;
  /** The name of the messages at OpenAI. */
  path: string;
}

const historyKey = 'history';

/**
 * The parameters of a lens from a dialog: the last message of the user for the only parameter, and the messages before it for
 * [[history]]. Each message has a place, or the request is refused.
 */
export function toLensParams(version: StoredVersion, { dialog, params, path }: Given): Record<string, unknown> {
  if (dialog.system.length > 0)
    throw refuse(path, 'has instructions, and a lens has its own: leave them out, or name a model as provider/key');
  const own = version.params.filter(({ label }) => paramKey(label) !== historyKey);
  const turns = dialog.turns.filter(({ role, ...turn }) => role !== 'user' || !isBlank(turn));
  if (params) return { ...params, ...historyOf(version, turns, path) };
  const required = own.filter(({ optional }) => !optional);
  const [single] = own.length === 1 ? own : required;
  if (own.length === 0) return historyOf(version, turns, path);
  if (!single || (own.length > 1 && required.length > 1)) {
    const labels = own.map(({ label }) => label).join(', ');
    throw refuse('metadata.params', `is required: this lens has the parameters ${labels}; give them as a JSON object`);
  }
  const last = turns.at(-1);
  if (!last && single.optional) return {};
  if (last?.role !== 'user') throw refuse(path, `must end with a message of the user, which becomes ${single.label}`);
  if (last.images)
    throw refuse(
      path,
      'has an image: give it as a parameter {"image": {"mediaType", "data" or "url"}} in metadata.params',
    );
  return { [single.label]: last.text, ...historyOf(version, turns.slice(0, -1), path) };
}

const isBlank = (turn: object): boolean => 'text' in turn && turn.text === '' && !('images' in turn);

function historyOf(version: StoredVersion, turns: readonly Message[], path: string): Record<string, unknown> {
  if (turns.length === 0) return {};
  const takesHistory = version.template.parts?.some(({ pieces }) => pieces === undefined) === true;
  if (!takesHistory) {
    throw refuse(
      path,
      `has ${turns.length} messages without a place in this lens: give it a message [[history]], or send the last one alone`,
    );
  }
  const history = turns.map((turn) => {
    if (turn.role === 'tool' || (turn.role === 'assistant' && turn.toolCalls.length > 0))
      throw refuse(path, 'has calls of tools, which the history of a lens cannot have');
    if (turn.role === 'user' && turn.images) throw refuse(path, 'has images, which the history of a lens cannot have');
    return { role: turn.role, text: turn.text };
  });
  return { [historyKey]: history };
}
