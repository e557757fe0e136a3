import type { Shape } from './rules.js';

/** A JSON object with arbitrary members, within the rules for all JSON. */
export class FreeForm {
  [member: string]: unknown;
}

export const isFreeForm = (shape: Shape): boolean => shape === FreeForm || shape.prototype instanceof FreeForm;
