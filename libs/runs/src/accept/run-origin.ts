import { runOrigins } from '@lensforge/contracts';

const known = runOrigins.map((origin) => `'${origin}'`).join(', ');

/** The origin of a run from its cause, in SQL; a request where nothing else is noted. */
export const originOf = (cause: string): string =>
  `case when ${cause} ->> 'kind' in (${known}) then ${cause} ->> 'kind' else 'caller' end`;

/** What a webhook about a run says besides its outcome, in SQL, from the columns of the row `run`. */
export const correlationOf = (run: string): string =>
  `jsonb_build_object('lensId', ${run}.lens_id, 'tags', ${run}.tags, 'metadata', ${run}.metadata)`;
