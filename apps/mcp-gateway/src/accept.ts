/** A client that takes an event stream and nothing else gets its one answer as an event; every other one gets JSON. */
export function wantsEventStream(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const taken = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter((parts) => !parts.some((part) => /^q=0(\.0*)?$/.test(part)))
    .map(([type = '']) => type);
  const takesJson = taken.some((type) => ['application/json', 'application/*', '*/*'].includes(type));
  return !takesJson && taken.some((type) => ['text/event-stream', 'text/*'].includes(type));
}

export const asSseEvent = (answer: unknown): string => `event: message\ndata: ${JSON.stringify(answer)}\n\n`;
