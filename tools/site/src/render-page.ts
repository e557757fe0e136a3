import { createRequire } from 'node:module';
import MarkdownIt, { type Token } from 'markdown-it';

/** The used part of highlight.js, whose own types add those of browsers to the whole program. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string }): { value: string };
}

const require = createRequire(import.meta.url);
const highlighter = require('highlight.js/lib/core') as Highlighter;
for (const name of ['bash', 'ini', 'javascript', 'json', 'python', 'yaml']) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
}
const languages: Readonly<Record<string, string>> = { sh: 'bash', js: 'javascript', jsonc: 'json' };

export interface Heading {
  level: number;
  id: string;
  text: string;
}

/** A part of a page under one heading, as the search finds it. */
export interface Section {
  id: string;
  title: string;
  text: string;
}

export interface RenderedPage {
  title: string;
  /** The first paragraph, as text. */
  summary: string;
  html: string;
  headings: Heading[];
  sections: Section[];
}

/** Renders Markdown without inline styles or scripts; `link` translates the address of each link. */
export function renderPage(text: string, link: (href: string) => string): RenderedPage {
  const markdown = new MarkdownIt({ html: false, highlight });
  const tokens = markdown.parse(text, {});
  const headings = nameHeadings(tokens);
  for (const token of tokens) {
    if (token.type === 'th_open' || token.type === 'td_open') token.attrs = null;
    for (const child of token.children ?? []) {
      const name = child.type === 'link_open' ? 'href' : child.type === 'image' ? 'src' : undefined;
      const address = name === undefined ? null : child.attrGet(name);
      if (name !== undefined && address !== null) child.attrSet(name, link(String(address)));
    }
  }
  nameRows(tokens, new Set([...idsOfLayout, ...headings.map(({ id }) => id)]));
  groupLanguages(tokens);
  let tables = 0;
  markdown.renderer.rules['table_open'] = () =>
    `<div class="table" tabindex="0" role="region" aria-label="Table ${++tables}"><table>\n`;
  markdown.renderer.rules['table_close'] = () => '</table></div>\n';
  const { fence = () => '' } = markdown.renderer.rules;
  markdown.renderer.rules['fence'] = (all, at, ...others) => {
    const { before = '', after = '' } = (all[at]?.meta ?? {}) as { before?: string; after?: string };
    return `${before}${fence(all, at, ...others)}${after}`;
  };
  const first = tokens.find(({ type }, at) => type === 'inline' && tokens[at - 1]?.type === 'paragraph_open');
  return {
    title: headings.find(({ level }) => level === 1)?.text ?? '',
    summary: first ? toPlainText(first) : '',
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings: headings.filter(({ level }) => level === 2 || level === 3),
    sections: splitSections(tokens),
  };
}

/** The same program in several languages, in blocks that follow each other, becomes a group with a name for each. */
function groupLanguages(tokens: readonly Token[]): void {
  let group: { token: Token; name: string }[] = [];
  const close = (): void => {
    const [first, last] = [group[0], group.at(-1)];
    if (first && last && first !== last) {
      first.token.meta = { before: `<div class="languages" data-names="${group.map(({ name }) => name).join()}">\n` };
      last.token.meta = { after: '</div>\n' };
    }
    group = [];
  };
  for (const token of tokens) {
    const name = toLanguageName(token);
    if (name === undefined || group.some((one) => one.name === name)) close();
    if (name !== undefined) group.push({ token, name });
  }
  close();
}

function toLanguageName(token: Token): string | undefined {
  if (token.type !== 'fence') return undefined;
  if (token.info === 'sh') return /^lensforge /m.test(token.content) ? 'CLI' : 'curl';
  return { js: 'JavaScript', ts: 'TypeScript', python: 'Python' }[token.info];
}

function highlight(code: string, name: string): string {
  const language = languages[name] ?? name;
  const body = highlighter.getLanguage(language) ? highlighter.highlight(code, { language }).value : escapeHtml(code);
  return `<pre tabindex="0"><code>${body}</code></pre>`;
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Gives headings the ids that Git hosts give them, so that the same links work in both. */
function nameHeadings(tokens: readonly Token[]): Heading[] {
  const used = new Map<string, number>();
  return tokens.flatMap((token, at) => {
    const inline = tokens[at + 1];
    if (token.type !== 'heading_open' || !inline) return [];
    const text = toPlainText(inline);
    const plain = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const times = used.get(plain) ?? 0;
    used.set(plain, times + 1);
    const id = times === 0 ? plain : `${plain}-${times}`;
    token.attrSet('id', id);
    return [{ level: Number(token.tag.slice(1)), id, text }];
  });
}

/** Ids of the frame around each page. */
const idsOfLayout = ['page', 'search'];

/** Gives rows of tables that begin with a name, such as an error code or a setting, that name as their id. */
function nameRows(tokens: readonly Token[], used: Set<string>): void {
  for (const [at, token] of tokens.entries()) {
    const [cell, content] = [tokens[at + 1], tokens[at + 2]];
    if (token.type !== 'tr_open' || cell?.type !== 'td_open' || content?.children?.length !== 1) continue;
    const [only] = content.children;
    const name = only?.type === 'code_inline' ? only.content : '';
    if (!/^[A-Za-z]\w+$/.test(name) || used.has(name)) continue;
    used.add(name);
    token.attrSet('id', name);
  }
}

const toPlainText = ({ content, children }: Token): string =>
  children?.map((child) => (child.type === 'softbreak' || child.type === 'hardbreak' ? ' ' : child.content)).join('') ??
  content;

function splitSections(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [];
  for (const [at, token] of tokens.entries()) {
    const isTitle = tokens[at - 1]?.type === 'heading_open';
    if (isTitle) sections.push({ id: String(tokens[at - 1]?.attrGet('id')), title: toPlainText(token), text: '' });
    else if (['inline', 'fence', 'code_block'].includes(token.type)) {
      const section = sections.at(-1);
      if (section) section.text += `${token.type === 'inline' ? toPlainText(token) : token.content} `;
    }
  }
  return sections;
}
