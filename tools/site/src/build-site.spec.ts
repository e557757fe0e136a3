import { readFileSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildDocs } from './build-site.js';
import { SiteLinks, pagePlaces } from './page-map.js';
import { renderPage } from './render-page.js';

const root = join(import.meta.dirname, '..', '..', '..');
let folder: string;
let files: string[];
/** Files of the repository that pages link to are no pages, also when they are HTML or Markdown. */
const isPage = (name: string): boolean => name.endsWith('.html') && !name.startsWith('files/');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lensforge-site-'));
  await buildDocs(root, folder);
  files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The file that the gateway sends for a path below /docs/. */
const fileOf = (path: string): string | undefined =>
  [path, `${path}.html`, posix.join(path, 'index.html')].find((name) => files.includes(name));

it('has a place for each error code and each setting, which links lead to', () => {
  for (const code of ['not_found', 'rate_limited', 'MISSING_PARAMS', 'WORKER_LOST'])
    expect(read('errors.html')).toContain(`<tr id="${code}">`);
  expect(read('configuration.html')).toContain('<tr id="LENSFORGE_DRAIN_MS">');
  for (const file of files.filter(isPage)) {
    const ids = [...read(file).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect([file, ids.filter((id, at) => ids.indexOf(id) !== at)]).toEqual([file, []]);
  }
});

/** Paths of the gateway outside of the site. */
const above = ['console/', 'reference', 'reference/', 'health', 'llms.txt', ''];

const isBroken = (from: string, href: string): boolean => {
  if (/^(https?|mailto|data):/.test(href)) return false;
  const { pathname, hash } = new URL(href, `http://host/${from === 'home.html' ? '' : `docs/${from}`}`);
  if (!pathname.startsWith('/docs/')) return !above.includes(pathname.slice(1));
  const file = fileOf(decodeURIComponent(pathname.slice('/docs/'.length)));
  if (file === undefined) return true;
  return hash !== '' && !read(file).includes(` id="${decodeURIComponent(hash.slice(1))}"`);
};

describe('the pages of the documentation', () => {
  it('show the version that they describe, and lead to what has changed', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    for (const file of files.filter(isPage)) expect(read(file)).toMatch(new RegExp(`changelog"[^>]*>${version}</a>`));
  });

  it('link to pages, files and headings that exist', () => {
    const pages = files.filter(isPage);
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, href = '']) => [page, href] as const),
    );
    expect(pages.length).toBeGreaterThan(90);
    expect(links.length).toBeGreaterThan(5000);
    expect(links.filter(([page, href]) => isBroken(page, href))).toEqual([]);
  });

  it('have no inline scripts, styles or handlers, which the policy refuses', () => {
    const refused = / style="|<style|<script(?![^>]* src=)| on\w+="/;
    const markup = (name: string): string => read(name).replace(/<code>[\s\S]*?<\/code>/g, '');
    expect(files.filter((name) => isPage(name) && refused.test(markup(name)))).toEqual([]);
  });

  it('are of a size for slow networks', () => {
    const large = files.filter((name) => isPage(name) && statSync(join(folder, name)).size > 120_000);
    expect(large).toEqual([]);
    expect(statSync(join(folder, 'assets', 'search.json')).size).toBeLessThan(900_000);
  });

  it('have one title and one main heading each', () => {
    const odd = files.filter((name) => isPage(name) && [...read(name).matchAll(/<h1[ >]/g)].length !== 1);
    expect(odd).toEqual([]);
  });

  it('have the parts and groups of the map in their navigation, the reference as the last', () => {
    const page = read('lenses.html');
    const titles = [...page.matchAll(/<p class="(section|group)">([^<]+)<\/p>/g)].map(
      ([, kind, title]) => `${kind}: ${title}`,
    );
    expect(titles.filter((title) => title.startsWith('section')).slice(0, 4)).toEqual(
      ['Use', 'Operate', 'Contribute', 'Reference'].map((title) => `section: ${title}`),
    );
    expect(titles.slice(0, 3)).toEqual(['section: Use', 'group: Begin', 'group: Lenses, runs and workflows']);
    expect(titles).toContain('group: Install');
  });

  it('show the picture of the first page', () => {
    expect(read('quick-start.html')).toContain('src="images/console.png"');
    expect(files).toContain('images/console.png');
  });

  it('mark themselves in the navigation', () => {
    expect(read('lenses.html')).toContain('<a href="lenses" aria-current="page">Lenses</a>');
    expect(read('runbooks/LensforgeServiceDown.html')).toContain('<a href="./" aria-current="page">Runbooks</a>');
  });
});

describe('the documentation for language models', () => {
  it('lists all pages of the map, as Markdown files', () => {
    const list = read('llms.txt');
    expect(list).toMatch(/^# Lensforge\n\n> .{40,}/);
    const listed = [...list.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path = '']) => path.slice('/docs/'.length));
    expect(listed.length).toBeGreaterThan(45);
    expect(listed.filter((path) => fileOf(path) === undefined)).toEqual([]);
    expect(listed).toContain('lenses.md');
  });

  it('has all pages in one file', () => {
    const pages = [...read('llms-full.txt').matchAll(/^<!-- \/docs\/(.*) -->$/gm)].map(([, name = '']) => name);
    expect([...pages].sort()).toEqual(
      files.filter((name) => name.endsWith('.md') && !name.startsWith('files/')).sort(),
    );
  });

  it('has links between Markdown files that exist', () => {
    const text = read('index.md').replace(/^```[\s\S]*?^```/gm, '');
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, href = '']) => href);
    expect(links).toEqual(expect.arrayContaining(['quick-start.md', 'lenses.md', 'glossary.md']));
    expect(links.filter((href) => fileOf(posix.normalize(href).replace(/\/$/, '')) === undefined)).toEqual([]);
  });
});

describe('a page', () => {
  it('has the anchors of Git hosts, also for repeated headings', () => {
    const { headings, html } = renderPage('# A\n\n## Two `words`!\n\n## Two words\n', (href) => href);
    expect(headings.map(({ id }) => id)).toEqual(['two-words', 'two-words-1']);
    expect(html).toContain('<h2 id="two-words-1">');
  });

  it('shows markup in its text as text', () => {
    const { html } = renderPage('# A\n\n<script>alert(1)</script>\n\n```js\nconst a = "<b>";\n```\n', (href) => href);
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<b>');
    expect(html).toContain('hljs-keyword');
  });

  it('groups the same program in several languages, and leaves other blocks alone', () => {
    const block = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\`\n\n`;
    const { html } = renderPage(
      `${block('sh', 'curl a')}${block('sh', 'lensforge a')}${block('js', 'a')}${block('python', 'a')}Text\n\n${block('sh', 'b')}${block('text', 'c')}`,
      (href) => href,
    );
    expect(html.match(/<div class="languages" data-names="[^"]*">/g)).toEqual([
      '<div class="languages" data-names="curl,CLI,JavaScript,Python">',
    ]);
    expect(html.split('</div>')[0]?.match(/<pre/g)).toHaveLength(4);
  });

  it('aligns columns without inline styles', () => {
    expect(renderPage('| a |\n| -: |\n| 1 |\n', (href) => href).html).not.toContain('style');
  });
});

it('refuses a link to a file that does not exist', () => {
  const links = new SiteLinks(root, pagePlaces(root));
  expect(links.resolve('docs/lenses.md', 'runs.md#retrying')).toBe('runs#retrying');
  expect(() => links.resolve('docs/lenses.md', 'none.md')).toThrow(
    'docs/lenses.md links to docs/none.md, which does not exist',
  );
  expect(() => links.resolve('docs/lenses.md', '../../etc/passwd')).toThrow('does not exist');
});
