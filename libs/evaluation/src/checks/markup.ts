import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { SaxesParser } from 'saxes';

/** True for one well-formed XML element, perhaps after a declaration. */
export function isXml(text: string): boolean {
  const parser = new SaxesParser();
  try {
    parser.on('error', (fault) => {
      throw fault;
    });
    parser.write(text.trim()).close();
    return true;
  } catch {
    return false;
  }
}

const maxElements = 200;

/** True when the text has a well-formed XML element. */
export function containsXml(text: string): boolean {
  const openings = [...text.matchAll(/<([A-Za-z_][\w.:-]*)(?:\s[^<>]*)?>/g)].slice(0, maxElements);
  return openings.some(({ 0: opening, 1: name, index }) => {
    if (opening.endsWith('/>')) return true;
    const end = text.lastIndexOf(`</${name}>`);
    return end > index && isXml(text.slice(index, end + `</${name}>`.length));
  });
}

/** True when the text is HTML alone: known elements, and no other text beside them. */
export function isHtml(text: string): boolean {
  const trimmed = text.trim();
  if (!trimmed.startsWith('<') || trimmed.startsWith('<?xml') || !trimmed.endsWith('>')) return false;
  if (/^<!doctype html|^<html[\s>]/i.test(trimmed)) return true;
  const { childNodes } = parseFragment(trimmed);
  const nodes = childNodes.filter((node) => node.nodeName !== '#comment' && !isBlankText(node));
  return nodes.length > 0 && nodes.every(({ nodeName }) => elements.has(nodeName));
}

/** True when the text has an HTML element. */
export const containsHtml = (text: string): boolean =>
  [...text.matchAll(/<\/?([a-z][a-z0-9]*)(?:\s[^<>]*)?>/gi)].some(({ 1: name = '' }) =>
    elements.has(name.toLowerCase()),
  );

const isBlankText = (node: DefaultTreeAdapterTypes.ChildNode): boolean =>
  node.nodeName === '#text' && 'value' in node && node.value.trim() === '';

const elements = new Set(
  `a abbr address article aside audio b blockquote body br button canvas caption cite code col colgroup datalist dd del details dfn
   dialog div dl dt em embed fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd
   label legend li link main map mark menu meta meter nav noscript object ol optgroup option output p picture pre progress q ruby s
   samp script search section select slot small source span strong style sub summary sup svg table tbody td template textarea tfoot
   th thead time title tr track u ul var video wbr`.split(/\s+/),
);
