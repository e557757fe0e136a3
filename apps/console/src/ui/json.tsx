import { toVisible } from './visible-text';

/** Any value as text; a text as it is. */
export const formatJson = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

export const Json = ({ value, label }: { value: unknown; label: string }) => (
  <pre tabIndex={0} aria-label={label}>
    {toVisible(formatJson(value))}
  </pre>
);
