import type { GroupFilter } from './lens-groups.js';

export const lensSorts = ['newest', 'popular'] as const;
export type LensSort = (typeof lensSorts)[number];

export interface LensFilter extends GroupFilter {
  tag?: string | undefined;
  /** Newest when absent. */
  sort?: LensSort | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}
