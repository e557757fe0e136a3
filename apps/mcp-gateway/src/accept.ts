/** True for a client that accepts only an event stream; it gets its response as one event, all others get JSON. */
export function wantsEventStream(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const accepted = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter((parts) => !parts.some((part) => /^q=0(\.0*)?$/.test(part)))
    .map(([type = '']) => type);
  const acceptsJson = accepted.some((type) => ['application/json', 'application/*', '*/*'].includes(type));
  return !acceptsJson && accepted.some((type) => ['text/event-stream', 'text/*'].includes(type));
}

export const asSseEvent = (response: unknown): string => `event: message\ndata: ${JSON.stringify(response)}\n\n`;
