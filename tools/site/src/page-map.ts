import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A page of the site: where its Markdown is in the repository, and its path below `/docs/`, without an extension. */
export interface PagePlace {
  source: string;
  path: string;
}

/** Pages outside of `docs/`, which its map lists as well. */
const others: Readonly<Record<string, string>> = {
  'README.md': 'quick-start',
  'CONTRIBUTING.md': 'contributing/index',
  'SECURITY.md': 'security-policy',
  'CHANGELOG.md': 'changelog',
  'libs/contracts/README.md': 'glossary',
};

/** All pages: the Markdown files of `docs/`, and those of other folders that are part of the documentation. */
export function pagePlaces(root: string): PagePlace[] {
  const ofDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({ source: `docs/${file}`, path: file.replace(/\.md$/, '').replace(/(^|\/)README$/, '$1index') }));
  return [...ofDocs, ...Object.entries(others).map(([source, path]) => ({ source, path }))];
}

/** The URL path of a page below `/docs/`: `index` is the folder. */
export const toUrl = (path: string): string => path.replace(/(^|\/)index$/, '$1');

/** The relative URL from a page to a path below `/docs/`; one that begins with `../` is above. */
export function relativeUrl(from: string, to: string): string {
  const [path = '', anchor] = to.split('#');
  const target = posix.join('/docs/', path);
  const relative = posix.relative(posix.dirname(`/docs/${from}`), target);
  const url = target.endsWith('/') ? `${relative || '.'}/` : relative;
  return anchor === undefined ? url : `${url}#${anchor}`;
}

/** Resolves links of Markdown files to paths of the site. */
export class SiteLinks {
  /** Files and folders of the repository that pages link to and that are no pages; the site has copies of them. */
  readonly copied = new Set<string>();
  private readonly paths: ReadonlyMap<string, string>;

  constructor(
    private readonly root: string,
    places: readonly PagePlace[],
  ) {
    this.paths = new Map(places.map(({ source, path }) => [source, path]));
  }

  /** The path below `/docs/` of a link in a file, with its anchor; undefined for links to other hosts. */
  resolve(source: string, href: string, form: 'html' | 'md' = 'html'): string | undefined {
    if (/^[a-z]+:/i.test(href)) return undefined;
    const [given = '', anchor] = href.split('#');
    const target =
      given === '' ? source : posix.join(posix.dirname(source), decodeURIComponent(given)).replace(/\/$/, '');
    return this.toLinkPath(source, target, form) + (anchor === undefined ? '' : `#${anchor}`);
  }

  private toLinkPath(source: string, target: string, form: 'html' | 'md'): string {
    const page = this.paths.get(target) ?? this.paths.get(`${target}/README.md`);
    if (page !== undefined) return form === 'html' ? toUrl(page) : `${page}.md`;
    if (!existsSync(join(this.root, target)) || target.startsWith('..')) {
      throw new Error(`${source} links to ${target}, which does not exist`);
    }
    this.copied.add(target);
    if (target.startsWith('docs/')) return target.slice('docs/'.length);
    return `files/${target}${statSync(join(this.root, target)).isDirectory() ? '/' : ''}`;
  }
}
