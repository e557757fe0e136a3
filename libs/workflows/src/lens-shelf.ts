import type { Context } from '@lensforge/core';

/** A lens that a graph names. */
export interface LensAtHand {
  title: string;
  description: string;
  templateBody: string;
  /** Which of its required parameters are not among these names. */
  missing(names: readonly string[]): string[];
}

/** Where lenses come from: they are another room's, so whoever opens this one brings them. */
export interface LensShelf {
  /** As far as the caller may see it; NOT_FOUND otherwise. */
  find(ctx: Context, lensId: string, version?: string): Promise<LensAtHand>;
  /** A private lens of the caller's; its id. */
  create(ctx: Context, lens: Pick<LensAtHand, 'title' | 'description' | 'templateBody'>): Promise<string>;
}
