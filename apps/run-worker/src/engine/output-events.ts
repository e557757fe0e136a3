import type { NewRunEvent } from '@lensforge/runs';

const maxInOneEvent = 32_768;

/** The output events of a text, each small enough for a stream. `node` identifies the node in them. */
export function outputEvents(node: { nodeId: string; nodeKey?: string }, text: string): NewRunEvent[] {
  const events: NewRunEvent[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + maxInOneEvent, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    events.push({ type: 'node.output.delta', payload: { ...node, text: text.slice(at, end) } });
    at = end;
  }
  return events;
}
