/** A value as JSON with the members of objects in the order of their names, so that equal values have equal texts. */
export const toSortedJson = (value: unknown): string => JSON.stringify(value, sortedMembers);

function sortedMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
