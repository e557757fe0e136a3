import { isPlainName } from './expression-references';
import { type Graph, nodesBefore } from './graph';

/** A text that can follow in an expression. */
export interface Completion {
  text: string;
  /** The origin or the meaning, in a few words. */
  about: string;
}

/** The results of a run, as far as it has any. */
export interface KnownValues {
  inputs?: unknown;
  /** The graph is that of a map, which has an item. */
  isInMap?: boolean;
  outputs: ReadonlyMap<string, unknown>;
}

/** Functions of the expression language. */
const functions: readonly Completion[] = [
  ['size(', 'length of a text, a list or a map'],
  ['has(', 'true when a member exists'],
  ['string(', 'as a text'],
  ['int(', 'as a whole number'],
  ['double(', 'as a number'],
  ['json(', 'as JSON'],
  ['parseJson(', 'the value of a JSON text'],
  ['.map(', 'each item changed: items.map(x, x.name)'],
  ['.filter(', 'some items: items.filter(x, x.score > 1)'],
  ['.exists(', 'true for one item: items.exists(x, x > 1)'],
  ['.all(', 'true for all items'],
  ['.contains(', 'true when a text has another'],
  ['.startsWith(', 'true when a text begins so'],
  ['.replace(', 'text.replace(from, to)'],
  ['.split(', 'parts of a text'],
  ['.join(', 'items as one text'],
  ['.trim(', 'without spaces at the ends'],
].map(([text = '', about = '']) => ({ text, about }));

const itemNames: readonly Completion[] = [
  { text: 'item', about: 'the item of the map' },
  { text: 'index', about: 'the number of the item, from 0' },
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of a path; names with other characters need brackets. */
const joinMember = (path: string, name: string): string =>
  isPlainName(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;

/** The paths of a value and of the objects within it, three levels deep. */
function pathsIn(path: string, value: unknown, about: string, depth = 3): Completion[] {
  if (!isObject(value) || depth === 0) return [{ text: path, about }];
  const members = Object.entries(value).flatMap(([name, each]) =>
    pathsIn(joinMember(path, name), each, about, depth - 1),
  );
  return [{ text: path, about }, ...members];
}

/** Everything that an expression of a node can name: inputs, results of the nodes before it, and functions. */
export function completionsFor(graph: Graph, nodeId: string | undefined, known: KnownValues): Completion[] {
  const { properties } = (graph['inputs'] ?? {}) as { properties?: Record<string, unknown> };
  const before = nodeId === undefined ? new Set(graph.nodes.map(({ id }) => id)) : nodesBefore(graph, nodeId);
  const inputs = { ...(isObject(known.inputs) ? known.inputs : {}), ...properties };
  const names = graph.edges.flatMap(({ to, input }) => (to === nodeId && typeof input === 'string' ? [input] : []));
  const all = [
    { text: 'inputs', about: 'inputs of the run' },
    ...Object.keys(inputs).map((name) => ({ text: joinMember('inputs', name), about: 'input of the run' })),
    ...names.map((name) => ({ text: joinMember('input', name), about: 'from an edge' })),
    ...graph.nodes
      .filter(({ id }) => before.has(id))
      .flatMap(({ id, type }) => {
        const path = joinMember('nodes', id);
        return [
          ...pathsIn(`${path}.output`, known.outputs.get(id), type),
          { text: `${path}.status`, about: type },
          { text: `${path}.error`, about: type },
        ];
      }),
    { text: 'run.id', about: 'the run' },
    ...(known.isInMap ? itemNames : []),
    ...functions,
  ];
  return [...new Map(all.map((each) => [each.text, each])).values()];
}

const maxWord = 500;
const word = /(?<!\w)[A-Za-z_]\w*(?:\.\w*|\["[^"]*"\]?)*(?:\["[^"]*)?$|\.\w*$/;

/** The word at the cursor: a path such as `nodes.draft.ou`, or a method such as `.ma` after a bracket. */
export const wordBefore = (text: string, cursor: number): string =>
  word.exec(text.slice(Math.max(0, cursor - maxWord), cursor))?.[0] ?? '';

/** The completions that continue the word at the cursor, and the part of the word that each one replaces. */
export function matching(
  completions: readonly Completion[],
  text: string,
  cursor: number,
): (Completion & { from: number })[] {
  const word = wordBefore(text, cursor);
  if (word === '') return [];
  const method = /\.\w*$/.exec(word)?.[0];
  return completions
    .flatMap((each) => {
      const typed = each.text.startsWith('.') ? method : word;
      if (typed === undefined || each.text === typed) return [];
      const fits = each.text.toLowerCase().startsWith(typed.toLowerCase());
      return fits ? [{ ...each, from: cursor - typed.length }] : [];
    })
    .slice(0, 12);
}
