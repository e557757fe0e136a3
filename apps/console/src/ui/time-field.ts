/** A time as a field of a browser has it: local, to the minute. */
export function localTime(ms: number): string {
  const offset = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offset).toISOString().slice(0, 16);
}

/** The instant that such a field means. */
export const toIsoTime = (field: string): string => new Date(field).toISOString();
