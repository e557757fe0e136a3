export const visibilities = ['public', 'community', 'private'] as const;
export const statuses = ['draft', 'published', 'archived'] as const;
export const sorts = ['newest', 'popular'] as const;

/** The search and the filters of the library, as they stand in its address. */
export interface LensFilters {
  q?: string | undefined;
  mine?: boolean | undefined;
  visibility?: (typeof visibilities)[number] | undefined;
  status?: (typeof statuses)[number] | undefined;
  tag?: string | undefined;
  sort?: (typeof sorts)[number] | undefined;
}

export const pickOption = <T extends string>(options: readonly T[], value: unknown): T | undefined =>
  options.find((each) => each === value);

/** A word of the address. The router reads digits as a number, and a tag may consist of them. */
const text = (value: unknown): string | undefined => {
  const word = typeof value === 'number' ? String(value) : value;
  return typeof word === 'string' && word.trim() !== '' ? word : undefined;
};

/** The filters of an address; what is not a filter is left out. */
export const readLensFilters = (search: Readonly<Record<string, unknown>>): LensFilters =>
  Object.fromEntries(
    Object.entries({
      q: text(search['q']),
      mine: search['mine'] === true ? true : undefined,
      visibility: pickOption(visibilities, search['visibility']),
      status: pickOption(statuses, search['status']),
      tag: text(search['tag']),
      sort: pickOption(sorts, search['sort']),
    }).filter(([, value]) => value !== undefined),
  );

/** The tags that a person wrote with commas between them, each once. */
export const parseTags = (written: string): string[] => [
  ...new Set(
    written
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
