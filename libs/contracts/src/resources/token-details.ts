import { integer } from '../schema/field.js';

/** The tokens of a run by kind, as its providers reported them. */
export class TokenDetails {
  @integer({ min: 0, description: 'Input that providers read from their caches; part of tokenInput.' })
  cachedInput!: number;

  @integer({ min: 0, description: 'Input that providers wrote to their caches; part of tokenInput.' })
  cacheWrite!: number;

  @integer({ min: 0, description: 'Output of reasoning; part of tokenOutput.' })
  reasoning!: number;

  @integer({ description: 'The credits that caches saved; negative if writing cost more than reading saved.' })
  creditsSaved!: number;
}

export const tokenDetailsText = 'null when providers report none.';
