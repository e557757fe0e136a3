import { urlOf } from './page-map.js';
import type { PagePlace, SiteLinks } from './page-map.js';

export interface NavPage {
  title: string;
  path: string;
  /** `#…` for an entry about a part of a page, else empty. */
  anchor: string;
  description: string;
}

export interface NavSection {
  title: string;
  pages: NavPage[];
}

const row = /^\| \[([^\]]+)\]\(([^)]+)\) *\| (.*?) *\|$/gm;

/** Reads the sections and tables of `docs/README.md`, the map of all pages. */
export function readNavigation(map: string, places: readonly PagePlace[], links: SiteLinks): NavSection[] {
  const byUrl = new Map(places.map(({ path }) => [urlOf(path), path]));
  return map
    .split(/^## /m)
    .slice(1)
    .map((text) => ({
      title: text.slice(0, text.indexOf('\n')).trim(),
      pages: [...text.matchAll(row)].map(([, title = '', href = '', description = '']) => {
        const url = links.resolve('docs/README.md', href) ?? href;
        const [path = '', anchor] = url.split('#');
        return {
          title,
          path: byUrl.get(path) ?? path,
          anchor: anchor === undefined ? '' : `#${anchor}`,
          description,
        };
      }),
    }));
}
