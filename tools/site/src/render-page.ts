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
  let tables = 0;
  markdown.renderer.rules['table_open'] = () =>
    `<div class="table" tabindex="0" role="region" aria-label="Table ${++tables}"><table>\n`;
  markdown.renderer.rules['table_close'] = () => '</table></div>\n';
  const first = tokens.find(({ type }, at) => type === 'inline' && tokens[at - 1]?.type === 'paragraph_open');
  return {
    title: headings.find(({ level }) => level === 1)?.text ?? '',
    summary: first ? toPlainText(first) : '',
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings: headings.filter(({ level }) => level === 2 || level === 3),
    sections: splitSections(tokens),
  };
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
