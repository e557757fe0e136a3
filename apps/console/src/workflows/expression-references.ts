/** Names of members that the expression language reads as something else. */
const reserved = new Set(['in', 'true', 'false', 'null']);

/** True for an id that can follow a dot in an expression; others need brackets. */
export const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !reserved.has(name);

interface Token {
  text: string;
  start: number;
  /** The content of a text literal without escapes. */
  literal?: string | undefined;
}

const rawText = /[rR](?:"""(?<raw1>[^]*?)"""|'''(?<raw2>[^]*?)'''|"(?<raw3>[^"\n]*)"|'(?<raw4>[^'\n]*)')/;
const plainText =
  /"""(?<text1>(?:\\[^]|[^\\])*?)"""|'''(?<text2>(?:\\[^]|[^\\])*?)'''|"(?<text3>(?:\\.|[^"\\\n])*)"|'(?<text4>(?:\\.|[^'\\\n])*)'/;
/** Comments, literals, a literal without an end, names, and single signs. */
const tokenPattern = new RegExp(
  `\\s+|//[^\\n]*|${rawText.source}|${plainText.source}|["'][^]*|[A-Za-z_]\\w*|\\.\\?|\\[\\?|[^]`,
  'g',
);

const tokenize = (expression: string): Token[] =>
  [...expression.matchAll(tokenPattern)]
    .map(({ 0: text, index, groups = {} }) => ({
      text,
      start: index,
      literal: Object.values<string | undefined>(groups).find((content) => content !== undefined),
    }))
    .filter(({ text }) => text.trim() !== '' && !text.startsWith('//'));

/** A place in an expression that names a node. */
export interface NodeReference {
  id: string;
  /** `.draft` or `.?draft` of `nodes.draft`, or the literal of `nodes["draft"]`. */
  start: number;
  end: number;
  isLiteral: boolean;
  isOptional: boolean;
  /** Directly within `has(…)`, which takes no brackets. */
  isInHas: boolean;
}

/** Functions whose first argument names a variable, with the number of arguments that do not see it. */
const variablesOf: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['all', 'exists', 'exists_one', 'map', 'filter', 'optMap', 'optFlatMap'].map((name) => [name, 1]),
  ),
  bind: 2,
};

interface Bracket {
  isHas: boolean;
  /** The number of commas after which `nodes` is a variable of a loop. */
  hidesAfter: number;
  commas: number;
}

/** The references of an expression to nodes, in their order; also of one that is not complete. */
export function nodeReferences(expression: string): NodeReference[] {
  const tokens = tokenize(expression);
  const textAt = (index: number): string => tokens[index]?.text ?? '';
  const isMember = (index: number): boolean => /^\.\??$/.test(textAt(index - 1));
  const open: Bracket[] = [];
  const found: NodeReference[] = [];
  tokens.forEach(({ text }, index) => {
    if (text === '(') {
      const isVariable = textAt(index + 1) === 'nodes' && textAt(index + 2) === ',';
      const hidesAfter = (isVariable && variablesOf[textAt(index - 1)]) || Infinity;
      open.push({ isHas: textAt(index - 1) === 'has' && !isMember(index - 1), hidesAfter, commas: 0 });
    } else if (/^(\[\??|\{)$/.test(text)) open.push({ isHas: false, hidesAfter: Infinity, commas: 0 });
    else if (/^[)\]}]$/.test(text)) open.pop();
    const inner = open.at(-1);
    if (text === ',' && inner) inner.commas += 1;
    if (text !== 'nodes' || isMember(index) || open.some(({ commas, hidesAfter }) => commas >= hidesAfter)) return;
    const [sign, key] = [tokens[index + 1], tokens[index + 2]];
    if (!sign || !key) return;
    const isLiteral = key.literal !== undefined && sign.text.startsWith('[') && textAt(index + 3) === ']';
    if (!isLiteral && !(isMember(index + 2) && /^[A-Za-z_]/.test(key.text) && key.literal === undefined)) return;
    found.push({
      id: key.literal ?? key.text,
      start: isLiteral ? key.start : sign.start,
      end: key.start + key.text.length,
      isLiteral,
      isOptional: sign.text.endsWith('?'),
      isInHas: inner?.isHas === true,
    });
  });
  return found;
}

/** The expression with another id in all its references to a node. */
export function renameInExpression(expression: string, from: string, to: string): string {
  let after = expression;
  for (const { id, start, end, isLiteral, isOptional } of nodeReferences(expression).reverse()) {
    if (id !== from) continue;
    const mark = isOptional ? '?' : '';
    const name = isLiteral ? `"${to}"` : isPlainName(to) ? `.${mark}${to}` : `[${mark}"${to}"]`;
    after = after.slice(0, start) + name + after.slice(end);
  }
  return after;
}
