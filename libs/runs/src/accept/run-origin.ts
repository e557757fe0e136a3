import { runOrigins } from '@lensforge/contracts';

const known = runOrigins.map((origin) => `'${origin}'`).join(', ');

/** SQL expression for the origin of a run from its cause; 'caller' by default. */
export const originOf = (cause: string): string =>
  `case when ${cause} ->> 'kind' in (${known}) then ${cause} ->> 'kind' else 'caller' end`;

/** SQL expression for the members of a webhook payload that identify a run, from the columns of the row `run`. */
export const correlationOf = (run: string): string =>
  `jsonb_build_object('lensId', ${run}.lens_id, 'tags', ${run}.tags, 'metadata', ${run}.metadata)`;
