import type { NavSection } from './navigation.js';
import { relativeUrl, toUrl } from './page-map.js';
import { type Heading, escapeHtml } from './render-page.js';

export interface Assets {
  style: string;
  script: string;
  /** The version of the platform that the pages describe. */
  version: string;
}

export interface PageParts {
  path: string;
  title: string;
  summary: string;
  html: string;
  headings: readonly Heading[];
  /** The path of the page in the navigation that is shown as the current one. */
  current: string;
  /** The path of the Markdown of the page. */
  markdown?: string;
}

/** A whole page. All its URLs are relative, so that it works under any prefix of a proxy. */
export function layout(page: PageParts, navigation: readonly NavSection[], assets: Assets): string {
  const to = (path: string): string => escapeHtml(relativeUrl(page.path, path));
  const home = to('');
  const alternate = page.markdown ? `\n<link rel="alternate" type="text/markdown" href="${to(page.markdown)}">` : '';
  const source = page.markdown ? `<a href="${to(page.markdown)}">This page as Markdown</a> · ` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title === 'Documentation' ? 'Lensforge documentation' : `${page.title} – Lensforge`)}</title>
<meta name="description" content="${escapeHtml(page.summary.slice(0, 200))}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to(assets.style)}">${alternate}
<script type="module" src="${to(assets.script)}"></script>
</head>
<body>
<a class="skip" href="#page">Skip to the content</a>
<header>
<a class="brand" href="${home}">Lensforge <span>docs</span></a>
<a class="version" href="${to('changelog')}" title="The version of these pages; what has changed">${escapeHtml(assets.version)}</a>
<button type="button" id="search" hidden>Search <kbd>/</kbd></button>
<a class="reference" href="${to('../reference')}">API reference</a>
</header>
<div class="columns">
${pagesList(navigation, page.current, to)}
<main id="page" tabindex="-1">
${page.html}
<footer>${source}<a href="${to('../llms.txt')}">llms.txt</a></footer>
</main>
${contents(page.headings)}
</div>
</body>
</html>
`;
}

function pagesList(navigation: readonly NavSection[], current: string, to: (path: string) => string): string {
  if (navigation.length === 0) return '';
  const sections = navigation.map((section) => navSection(section, current, to)).join('\n');
  return `<nav aria-label="Pages"><details class="pages"><summary>Pages</summary>\n${sections}\n</details></nav>`;
}

function navSection({ title, groups }: NavSection, current: string, to: (path: string) => string): string {
  const lists = groups.map((group) => {
    const items = group.pages.map((page) => {
      const mark = page.path === current ? ' aria-current="page"' : '';
      return `<li><a href="${to(toUrl(page.path) + page.anchor)}"${mark}>${escapeHtml(page.title)}</a></li>`;
    });
    const heading = group.title === '' ? '' : `<p class="group">${escapeHtml(group.title)}</p>\n`;
    return `${heading}<ul>${items.join('')}</ul>`;
  });
  return `<p class="section">${escapeHtml(title)}</p>\n${lists.join('\n')}`;
}

function contents(headings: readonly Heading[]): string {
  if (headings.length < 2) return '';
  const items = headings.map(
    ({ id, text, level }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<aside aria-label="On this page"><p class="section">On this page</p><ul>${items.join('')}</ul></aside>`;
}
