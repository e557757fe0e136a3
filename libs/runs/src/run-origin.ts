import { runOrigins } from '@lensforge/contracts';

const known = runOrigins.map((origin) => `'${origin}'`).join(', ');

/** SQL expression for the origin of a run from its cause; 'caller' by default. */
export const toOriginSql = (cause: string): string =>
  `case when ${cause} ->> 'kind' in (${known}) then ${cause} ->> 'kind' else 'caller' end`;
