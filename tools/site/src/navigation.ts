import { type PagePlace, type SiteLinks, toUrl } from './page-map.js';

export interface NavPage {
  title: string;
  path: string;
  /** `#…` for an entry about a part of a page, else empty. */
  anchor: string;
  description: string;
}

/** Pages under one heading of the third level; the title is empty for those before the first one. */
export interface NavGroup {
  title: string;
  pages: NavPage[];
}

export interface NavSection {
  title: string;
  groups: NavGroup[];
}

export const listPages = ({ groups }: NavSection): NavPage[] => groups.flatMap(({ pages }) => pages);

const row = /^\| \[([^\]]+)\]\(([^)]+)\) *\| (.*?) *\|$/gm;

/** Reads the sections, groups and tables of `docs/README.md`, the map of all pages. */
export function readNavigation(map: string, places: readonly PagePlace[], links: SiteLinks): NavSection[] {
  const byUrl = new Map(places.map(({ path }) => [toUrl(path), path]));
  const readPage = ([, title = '', href = '', description = '']: RegExpExecArray): NavPage => {
    const url = links.resolve('docs/README.md', href) ?? href;
    const [path = '', anchor] = url.split('#');
    return { title, path: byUrl.get(path) ?? path, anchor: anchor === undefined ? '' : `#${anchor}`, description };
  };
  const getTitle = (text: string): string => text.slice(0, text.indexOf('\n')).trim();
  return map
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: getTitle(section),
      groups: section
        .split(/^### /m)
        .map((text, at) => ({ title: at === 0 ? '' : getTitle(text), pages: [...text.matchAll(row)].map(readPage) }))
        .filter(({ pages }) => pages.length > 0),
    }));
}
