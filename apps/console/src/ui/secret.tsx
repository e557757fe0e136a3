import { Copy } from './copy';

/** A secret that no later request shows, with what it is. */
export const Secret = ({ what, value }: { what: string; value: string }) => (
  <p className="notice secret" role="status">
    {what} <code>{value}</code> <Copy text={value} />
  </p>
);
