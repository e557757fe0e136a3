/** A tag such as `> alice/tone@production` of a text, and what it stood for when the text was saved. */
export interface LensInclude {
  tag: string;
  /** null in a lens that was imported. */
  lensId: string | null;
  versionId: string | null;
  semver: string;
  text: string;
}

export interface NamedLens {
  tag: string;
  handle: string;
  /** Its id, or its title with - between words. */
  lens: string;
  /** A version number or a label. */
  version: string | undefined;
}

/** A backslash before the tag keeps it as text. */
const includeTag = /(?<!\\)\[\[>\s*([a-z0-9_-]{1,64})\/([^\s@[\]/]{1,100})(?:@([\w.-]{1,100}))?\s*\]\]/gi;

const toNamed = ([, handle = '', lens = '', version]: readonly (string | undefined)[]): NamedLens => ({
  tag: `> ${handle}/${lens}${version === undefined ? '' : `@${version}`}`,
  handle,
  lens,
  version,
});

/** The lenses that a text names, each once. */
export const listNamedLenses = (text: string): NamedLens[] => [
  ...new Map([...text.matchAll(includeTag)].map(toNamed).map((named) => [named.tag, named])).values(),
];

/** A text with the texts of others in place of their tags. */
export function expandIncludes(text: string, includes: readonly LensInclude[] | null): string {
  if (!includes) return text;
  const texts = new Map(includes.map((include) => [include.tag, include.text]));
  return text.replaceAll(
    includeTag,
    (...found: (string | undefined)[]) => texts.get(toNamed(found).tag) ?? found[0] ?? '',
  );
}

/** True when both stand for the same texts. */
export const haveSameIncludes = (one: readonly LensInclude[] | null, other: readonly LensInclude[] | null): boolean =>
  JSON.stringify(listTexts(one)) === JSON.stringify(listTexts(other));

const listTexts = (includes: readonly LensInclude[] | null): [string, string | null, string][] =>
  (includes ?? []).map(({ tag, versionId, text }) => [tag, versionId, text]);

/** The changes between two versions, by tag. */
export function listIncludeChanges(
  before: readonly LensInclude[] | null,
  after: readonly LensInclude[] | null,
): { name: string; before: string | null; after: string | null }[] {
  const [old, now] = [before, after].map((includes) => new Map(includes?.map(({ tag, semver }) => [tag, semver])));
  const tags = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  return [...tags]
    .map((tag) => ({ name: `[[${tag}]]`, before: old?.get(tag) ?? null, after: now?.get(tag) ?? null }))
    .filter((change) => change.before !== change.after);
}
