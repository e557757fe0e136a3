import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import MiniSearch from 'minisearch';
import { rolldown } from 'rolldown';
import { type Assets, layout } from './layout.js';
import { type NavSection, listPages, readNavigation } from './navigation.js';
import { type PagePlace, SiteLinks, pagePlaces, relativeUrl, toUrl } from './page-map.js';
import { type RenderedPage, escapeHtml, renderPage } from './render-page.js';

interface Page extends PagePlace, RenderedPage {
  markdown: string;
}

const browserFolder = join(import.meta.dirname, '..', 'browser');

/** Builds `docs/` and `reference/` with all their files, from the Markdown and the OpenAPI document of a repository. */
export async function buildSite(root: string, target: string): Promise<void> {
  await Promise.all([buildDocs(root, join(target, 'docs')), buildReference(join(target, 'reference'))]);
}

export async function buildDocs(root: string, target: string): Promise<void> {
  const places = pagePlaces(root);
  const links = new SiteLinks(root, places);
  const pages = await Promise.all(places.map((place) => readPage(root, place, links)));
  const map = pages.find(({ path }) => path === 'index');
  if (!map) throw new Error('docs/README.md, the map of all pages, does not exist');
  const navigation = readNavigation(await readFile(join(root, map.source), 'utf8'), places, links);
  const write = writerTo(target);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const assets = { ...(await writeAssets(target)), version };
  const listed = navigation.flatMap(listPages).map(({ path }) => path);
  for (const page of pages) {
    const parent = `${dirname(page.path)}/index`;
    const current = listed.includes(page.path) ? page.path : parent;
    await write(`${page.path}.html`, layout({ ...page, current, markdown: `${page.path}.md` }, navigation, assets));
    await write(`${page.path}.md`, page.markdown);
  }
  const notFound = { path: '404', title: 'No such page', summary: '', headings: [], current: '', html: notFoundHtml };
  await write('404.html', absolute(layout(notFound, navigation, assets)));
  await write('home.html', layout(homePage, [], assets));
  for (const file of links.copied) await copy(root, file, target, { navigation, assets });
  await write('assets/search.json', JSON.stringify(searchIndex(pages, navigation)));
  const ordered = inOrder(pages, listed);
  await write('llms.txt', llmsText(pages, navigation));
  await write(
    'llms-full.txt',
    ordered.map(({ path, markdown }) => `<!-- /docs/${path}.md -->\n\n${markdown}`).join('\n\n'),
  );
}

/** The page at `/`, next to `/docs/`. */
const homePage = {
  path: '../home',
  title: 'Lensforge',
  summary: 'Runs prompts and AI workflows for other programs.',
  headings: [],
  current: '',
  html: `<h1>Lensforge</h1>
<p>This server runs prompts and AI workflows for other programs. It answers programs under <code>/v1</code>.</p>
<ul>
<li><a href="console/">Console</a>: lenses, workflows and runs in a browser</li>
<li><a href="docs/">Documentation</a>: to use, operate and extend the platform; begin with the <a href="docs/tutorial">tutorial</a></li>
<li><a href="reference/">API reference</a>: every operation, with requests to try</li>
<li><a href="docs/openapi.json">openapi.json</a>: the same for generators of clients</li>
<li><a href="llms.txt">llms.txt</a>: the documentation for language models</li>
<li><a href="health">health</a>: the state of this server</li>
</ul>`,
};

const notFoundHtml = `<h1>No such page</h1>
<p>There is no page at this address. Search with <kbd>/</kbd>, or begin with <a href="./">the list of all pages</a>.</p>`;

/** The 404 page is shown at any depth, so its URLs cannot be relative. */
const absolute = (html: string): string =>
  html.replace(/ (href|src)="(?!#|data:)([^"]*)"/g, (_all, name: string, url: string) => {
    return ` ${name}="${new URL(url, 'http://host/docs/404').pathname}"`;
  });

async function readPage(root: string, place: PagePlace, links: SiteLinks): Promise<Page> {
  const text = await readFile(join(root, place.source), 'utf8');
  const translated = (form: 'html' | 'md') => (href: string) => {
    const path = links.resolve(place.source, href, form);
    return path === undefined ? href : relativeUrl(place.path, path);
  };
  return { ...place, ...renderPage(text, translated('html')), markdown: withLinks(text, translated('md')) };
}

/** Translates the links of Markdown outside of its code blocks. */
const withLinks = (text: string, link: (href: string) => string): string =>
  text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part) =>
      part.startsWith('```') ? part : part.replace(/\]\(([^)\s]+)\)/g, (_all, href: string) => `](${link(href)})`),
    )
    .join('');

const writerTo =
  (target: string) =>
  async (name: string, content: string | Uint8Array): Promise<void> => {
    const file = join(target, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  };

/** Copies a file that a page links to; a folder with a list of its files. */
async function copy(
  root: string,
  source: string,
  target: string,
  parts: { navigation: readonly NavSection[]; assets: Assets },
): Promise<void> {
  const to = source.startsWith('docs/') ? source.slice('docs/'.length) : `files/${source}`;
  if (!statSync(join(root, source)).isDirectory()) {
    await mkdir(dirname(join(target, to)), { recursive: true });
    return copyFile(join(root, source), join(target, to));
  }
  const names = readdirSync(join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(join(root, source).length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
  const items = names.map((name) => `<li><a href="${encodeURI(name)}">${escapeHtml(name)}</a></li>`);
  const page = {
    path: `${to}/index`,
    title: source,
    summary: `The files of ${source}.`,
    headings: [],
    current: `${to}/`,
    html: `<h1>${escapeHtml(source)}</h1>\n<ul>${items.join('')}</ul>`,
  };
  await writerTo(target)(`${to}/index.html`, layout(page, parts.navigation, parts.assets));
  for (const name of names) await copy(root, `${source}/${name}`, target, parts);
}

const hashContent = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 10);

/** Writes a file under a name with the hash of its content, which is its version in caches. */
async function writeHashed(target: string, name: string, content: string | Uint8Array): Promise<string> {
  const hashed = name.replace(/(\.\w+)$/, `-${hashContent(content)}$1`);
  await writerTo(target)(hashed, content);
  return hashed;
}

async function writeAssets(target: string): Promise<Omit<Assets, 'version'>> {
  const bundle = await rolldown({ input: join(browserFolder, 'site.mjs'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true, sourcemapIgnoreList: false });
  await bundle.close();
  const style = await readFile(join(browserFolder, 'site.css'), 'utf8');
  return {
    script: await writeHashed(target, 'assets/site.js', output[0].code),
    style: await writeHashed(target, 'assets/site.css', style),
  };
}

/** One document for each heading; the texts themselves are not in the index, only their beginnings. */
function searchIndex(pages: readonly Page[], navigation: readonly NavSection[]): object {
  const contribute = navigation.filter(({ title }) => title === 'Contribute').flatMap(listPages);
  const development = contribute.map(({ path }) => path);
  const index = new MiniSearch({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'url', 'excerpt', 'weight'],
  });
  let id = 0;
  for (const page of pages) {
    if (page.path === 'changelog') continue;
    // Users of the platform look for other pages than those who develop it.
    const weight = development.includes(page.path) || page.path.startsWith('adr/') ? 0.3 : 1;
    for (const { id: anchor, title, text } of page.sections) {
      const plain = text.replace(/\s+/g, ' ').trim();
      const isTop = title === page.title;
      index.add({
        id: id++,
        title,
        page: page.title,
        text: plain,
        url: `${toUrl(page.path)}${isTop ? '' : `#${anchor}`}`,
        excerpt: plain.length > 120 ? `${plain.slice(0, 120).replace(/ \S*$/, '')} …` : plain,
        weight,
      });
    }
  }
  return index.toJSON();
}

function inOrder(pages: readonly Page[], listed: readonly string[]): Page[] {
  const place = ({ path }: Page): number => (listed.includes(path) ? listed.indexOf(path) : listed.length);
  return [...pages].sort((one, other) => place(one) - place(other));
}

/** The list of pages for language models, as llmstxt.org describes it. */
function llmsText(pages: readonly Page[], navigation: readonly NavSection[]): string {
  const overview = pages.find(({ source }) => source === 'README.md');
  const sections = navigation.map((section) => {
    const lines = listPages(section).map((entry) => {
      const page = pages.find(({ path }) => path === entry.path);
      return `- [${entry.title}](/docs/${page ? `${page.path}.md` : entry.path}): ${entry.description}`;
    });
    return `## ${section.title}\n\n${[...new Set(lines)].join('\n')}`;
  });
  return `# Lensforge\n\n> ${overview?.summary ?? ''}\n\nAll pages in one file: /llms-full.txt\n\n${sections.join('\n\n')}\n`;
}

/** Writes the page of the API reference: the viewer of Scalar, its settings, and a page that loads both. */
export async function buildReference(target: string): Promise<void> {
  const packaged = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  const viewer = await readFile(join(dirname(packaged), 'js', 'standalone.js'));
  const [viewerName, startName, styleName] = [
    await writeHashed(target, 'scalar.js', viewer),
    await writeHashed(target, 'start.js', await readFile(join(browserFolder, 'reference.mjs'))),
    await writeHashed(target, 'reference.css', await readFile(join(browserFolder, 'reference.css'))),
  ];
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference – Lensforge</title>
<meta name="description" content="All operations of the REST API of Lensforge.">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${styleName}">
<script src="${viewerName}" defer></script>
<script type="module" src="${startName}"></script>
</head>
<body>
<header><a href="../docs/">Lensforge docs</a> <a href="../docs/openapi.json">openapi.json</a></header>
<div id="reference"><noscript>The reference needs JavaScript; <a href="../docs/openapi.json">openapi.json</a> has the same operations.</noscript></div>
</body>
</html>
`;
  await writerTo(target)('index.html', page);
}
