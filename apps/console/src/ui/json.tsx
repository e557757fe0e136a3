import { formatJson } from './format-json';
import { toVisible } from './visible-text';

export const Json = ({ value, label }: { value: unknown; label: string }) => (
  <pre tabIndex={0} aria-label={label}>
    {toVisible(formatJson(value))}
  </pre>
);
