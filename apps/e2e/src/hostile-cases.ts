// Generates input from a seed that exhausts time or memory of a program without limits.

export type Random = () => number;

export interface HostileCase {
  kind: 'expression' | 'regular expression' | 'schema' | 'template' | 'graph';
  /** The purpose of the case, for the report. */
  what: string;
  /** A graph to save, to run dry and to run. */
  graph?: object;
  inputs?: Record<string, unknown>;
  /** The versions of a lens; `params` are the values to execute it with. */
  templates?: string[];
  params?: Record<string, unknown>;
}

type Make = (random: Random) => Omit<HostileCase, 'kind'>;

const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));
const oneOf = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const step = (id: string, expression: string, more: object = {}) => ({
  id,
  type: 'transform',
  settings: { expression },
  ...more,
});
const alone = (expression: string, inputs: Record<string, unknown> = {}) => ({
  graph: { nodes: [step('a', expression)] },
  inputs,
});

/** Doubles `a0` `count` times. */
const doubled = (first: string, count: number, use: (last: string) => string): string =>
  `cel.bind(a0, ${first}, ${times(count, (at) => count - at).reduce(
    (inner, at) => `cel.bind(a${at}, a${at - 1} + a${at - 1}, ${inner})`,
    use(`a${count}`),
  )})`;

const loops = (depth: number, list: string, body: string): string =>
  times(depth, (at) => at).reduce((inner, at) => `${list}.map(x${at}, ${inner})`, body);

const list = (random: Random, most: number): unknown[] => times(between(random, most / 4, most), (at) => at);

const expressions: Make[] = [
  (random) => ({
    what: 'doubles a list',
    ...alone(doubled('[1, 2, 3, 4]', between(random, 18, 28), (last) => `${last}.size()`)),
  }),
  (random) => ({
    what: 'doubles a text',
    ...alone(doubled('"xxxx"', between(random, 18, 28), (last) => `${last}.contains("y")`)),
  }),
  (random) => ({
    what: 'loops within loops',
    ...alone(loops(3, 'inputs.l', oneOf(random, ['inputs.l', 'x0 + x1 * x2', '[x0, x1, x2]', 'json(inputs.l)'])), {
      l: list(random, 2000),
    }),
  }),
  (random) => ({
    what: 'nests JSON in JSON',
    ...alone(`${'json('.repeat(between(random, 10, 50))}inputs.t${')'.repeat(50)}`.slice(0, 4000), { t: '"\\"' }),
  }),
  (random) => {
    const depth = between(random, 5, 40);
    return {
      what: 'escapes again and again',
      ...alone(`${'json('.repeat(depth)}inputs.t${')'.repeat(depth)}`, { t: '""' }),
    };
  },
  (random) => ({
    what: 'grows by replacing',
    ...alone(`inputs.t${times(between(random, 2, 20), () => `.replace("a", "${'a'.repeat(150)}")`).join('')}.size()`, {
      t: 'a'.repeat(100),
    }),
  }),
  (random) => ({
    what: 'joins with a long text',
    ...alone('inputs.t.split("").join(inputs.t).size()', { t: 'x'.repeat(between(random, 2000, 60_000)) }),
  }),
  (random) => ({
    what: 'adds lists',
    ...alone(times(between(random, 20, 350), () => 'inputs.l').join(' + '), { l: list(random, 20_000) }),
  }),
  (random) => ({
    what: 'compares large values',
    ...alone(times(between(random, 20, 150), () => 'inputs.l == inputs.m').join(' && '), {
      l: list(random, 20_000),
      m: list(random, 20_000),
    }),
  }),
  (random) => ({
    what: 'searches a list for each of its items',
    ...alone('inputs.l.all(x, inputs.l.exists(y, y == x))', { l: list(random, 15_000) }),
  }),
  (random) => ({
    what: 'makes bytes in a loop',
    ...alone('inputs.l.map(x, inputs.l.map(y, bytes(inputs.t))).size()', {
      l: list(random, 1000),
      t: 'x'.repeat(50_000),
    }),
  }),
  (random) => ({
    what: 'is as long as it may be',
    ...alone(`[${times(490, (at) => `inputs.a${at % 9}`).join(',')}]`.slice(0, between(random, 3000, 4000))),
  }),
  (random) => {
    const depth = between(random, 10, 90);
    return { what: 'is nested deeply', ...alone(`${'['.repeat(depth)}1${']'.repeat(depth)}`) };
  },
  (random) => ({
    what: 'divides, overflows and converts',
    ...alone(
      oneOf(random, ['1 / 0', '9223372036854775807 + 1', 'int("1e400")', 'duration("9".replace("9", "99999h"))']),
    ),
  }),
];

const patterns = [
  '^(a+)+$',
  '^(a|aa)+$',
  '^(a|a?)+$',
  '(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.*)*b',
  '^(\\\\w+\\\\s?)*$',
];

const regularExpressions: Make[] = [
  (random) => ({
    what: 'backtracks in an expression',
    ...alone(`inputs.t.matches("${oneOf(random, patterns)}")`, { t: `${'a'.repeat(between(random, 25, 5000))}!` }),
  }),
  (random) => ({
    what: 'backtracks in several nodes',
    graph: {
      nodes: times(between(random, 2, 50), (at) => step(`n${at}`, `inputs.t.matches("${oneOf(random, patterns)}")`)),
    },
    inputs: { t: `${'a'.repeat(60)}!` },
  }),
  (random) => ({
    what: 'backtracks in a condition',
    graph: {
      nodes: [step('a', '1'), step('b', '2')],
      edges: [{ from: 'a', to: 'b', when: `inputs.t.matches("${oneOf(random, patterns)}")` }],
    },
    inputs: { t: `${'a'.repeat(between(random, 25, 500))}!` },
  }),
  (random) => ({
    what: 'backtracks in a schema',
    graph: {
      nodes: [step('a', '1')],
      inputs: {
        type: 'object',
        properties: { t: { type: 'string', pattern: oneOf(random, patterns) } },
        ...(random() < 0.5 && { patternProperties: { [oneOf(random, patterns)]: { type: 'number' } } }),
      },
    },
    inputs: { t: `${'a'.repeat(between(random, 25, 5000))}!`, [`${'a'.repeat(40)}!`]: 1 },
  }),
  (random) => ({
    what: 'is a pattern of its own kind',
    ...alone(`inputs.t.matches(inputs.p)`, {
      t: 'a'.repeat(5000),
      p: oneOf(random, ['(', '[', '(?<n>a)\\k<n>{1000}', 'a{1,1000}{1,1000}', '(a?)'.repeat(900), '(?=(a+))a*b\\1']),
    }),
  }),
];

const withSchema = (schema: object, inputs: Record<string, unknown>) => ({
  graph: { nodes: [step('a', '1')], inputs: { type: 'object', ...schema } },
  inputs,
});

const schemas: Make[] = [
  (random) => {
    const count = between(random, 20, 150);
    const $defs = Object.fromEntries(
      times(count, (at) => [`d${at}`, { type: 'object', properties: { n: { $ref: `#/$defs/d${(at + 1) % count}` } } }]),
    );
    const properties = Object.fromEntries(times(count, (at) => [`p${at}`, { $ref: `#/$defs/d${at}` }]));
    return { what: 'refers around', ...withSchema({ $defs, properties }, { p0: { n: { n: {} } } }) };
  },
  (random) => {
    const refs = times(between(random, 20, 100), (at) => [`r${at}`, { $ref: '#/$defs/one' }] as const);
    const one = {
      type: 'object',
      properties: Object.fromEntries(times(50, (at) => [`m${at}`, { type: 'string', minLength: at }])),
    };
    return {
      what: 'refers to one large part',
      ...withSchema({ $defs: { one }, properties: Object.fromEntries(refs) }, { r0: {} }),
    };
  },
  (random) => {
    const depth = between(random, 10, 26);
    const $defs: Record<string, object> = Object.fromEntries(
      times(depth, (at) => [
        `d${at}`,
        at === 0 ? { type: 'string' } : { allOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] },
      ]),
    );
    return {
      what: 'doubles its checks',
      ...withSchema({ $defs, properties: { t: { $ref: `#/$defs/d${depth - 1}` } } }, { t: 'x' }),
    };
  },
  (random) => {
    const branch = () => ({
      type: 'object',
      required: times(20, (at) => `m${at}`),
      properties: { a: { type: 'integer' } },
    });
    const items = { anyOf: times(between(random, 5, 60), branch) };
    return {
      what: 'has many faults',
      ...withSchema({ properties: { list: { type: 'array', items } } }, { list: times(900, () => ({ a: 'x' })) }),
    };
  },
  (random) => ({
    what: 'asks for unique items',
    ...withSchema(
      { properties: { list: { type: 'array', uniqueItems: true } } },
      { list: times(between(random, 500, 3000), (at) => ({ at, more: [at] })) },
    ),
  }),
  (random) => ({
    what: 'is recursive, with deep inputs',
    ...withSchema(
      { properties: { n: { $ref: '#' } }, unevaluatedProperties: false },
      times(between(random, 5, 28), (at) => at).reduce<Record<string, unknown>>((inner) => ({ n: inner }), {}),
    ),
  }),
  (random) => ({
    what: 'is no schema',
    ...withSchema(
      oneOf<object>(random, [
        { type: 'nothing' },
        { properties: [] },
        { $ref: 'https://example.org/x' },
        { $id: 'x' },
        { required: 1 },
      ]),
      {},
    ),
  }),
];

const words = ['alpha', 'beta', 'gamma', '', '[[Name]]', '[[', ']]', '\\[[', '\u0301\u0301', '🦊'];

const templates: Make[] = [
  (random) => ({
    what: 'differs in each line',
    templates: times(2, () =>
      times(between(random, 500, 4000), () => oneOf(random, words) + String(between(random, 0, 40))).join('\n'),
    ),
    params: { Name: 'x' },
  }),
  (random) => ({
    what: 'is full of brackets',
    templates: [
      oneOf(random, ['[[', '[[[[ ', '\\[[', ']]'])
        .repeat(between(random, 100, 20_000))
        .padEnd(60, '.'),
    ],
    params: {},
  }),
  (random) => ({
    what: 'repeats a long value',
    templates: ['[[V]] '.repeat(between(random, 200, 2000)).padEnd(60, '.')],
    params: { V: 'y'.repeat(between(random, 100, 50_000)) },
  }),
  (random) => ({
    what: 'is one long word',
    templates: [`[[V]]${'x'.repeat(between(random, 1000, 90_000))}`.padEnd(60, '.')],
    params: { V: 'ab'.repeat(between(random, 10, 40_000)) },
  }),
];

const graphs: Make[] = [
  (random) => {
    const count = between(random, 100, 500);
    const nodes = times(count, (at) => step(`n${at}`, '1'));
    const edges = times(1900, (at) => ({
      from: `n${at % (count - 1)}`,
      to: `n${(at % (count - 1)) + 1 + ((at * 7) % (count - 1 - (at % (count - 1))))}`,
      input: `i${at}`,
    }));
    return { what: 'has many nodes and edges', graph: { nodes, edges } };
  },
  (random) => ({
    what: 'has long expressions in all nodes',
    graph: {
      nodes: times(between(random, 50, 400), (at) =>
        step(`n${at}`, `[${times(400, () => 'inputs.a').join(',')}]`.slice(0, 3900).replace(/,[^,]*$/, ']')),
      ),
    },
  }),
  (random) => {
    const inner = (depth: number): object =>
      depth === 0
        ? { nodes: [step('x', '1')] }
        : {
            nodes: [
              { id: 'm', type: 'map', settings: { items: 'inputs.l', graph: inner(depth - 1), concurrency: 20 } },
            ],
          };
    return { what: 'maps within maps', graph: inner(between(random, 1, 3)), inputs: { l: list(random, 2000) } };
  },
  (random) => {
    const count = between(random, 4, 20);
    const large = 'inputs.l.map(x, inputs.t)';
    const nodes = times(count, (at) => step(`n${at}`, large));
    const all = step('all', `[${nodes.map(({ id }) => `nodes.${id}.output`).join(', ')}].size()`);
    return {
      what: 'has large outputs',
      graph: { nodes: [...nodes, all], edges: nodes.map(({ id }) => ({ from: id, to: 'all' })) },
      inputs: { l: times(90, (at) => at), t: 'z'.repeat(10_000) },
    };
  },
  (random) => ({
    what: 'has many expressions in one node',
    graph: {
      nodes: [
        {
          id: 'h',
          type: 'http',
          settings: {
            url: 'https://example.org/',
            body: times(between(random, 100, 700), (at) => ({ $: `${'1 + '.repeat(between(random, 1, 300))}${at}` })),
          },
        },
      ],
    },
  }),
  (random) => ({
    what: 'has a cycle, and edges to nowhere',
    graph: {
      nodes: times(400, (at) => step(`n${at}`, '1')),
      edges: times(400, (at) => ({ from: `n${at}`, to: `n${(at + 1) % between(random, 300, 420)}` })),
    },
  }),
  (random) => ({
    what: 'is no graph',
    graph: oneOf<object>(random, [
      { nodes: {} },
      { nodes: [[]], edges: 'x' },
      { nodes: times(501, (at) => step(`n${at}`, '1')) },
      JSON.parse(`{"nodes":[],"__proto__":{"a":1},"constructor":{"prototype":{}}}`) as object,
    ]),
  }),
];

const families = [
  ['expression', expressions],
  ['regular expression', regularExpressions],
  ['schema', schemas],
  ['template', templates],
  ['graph', graphs],
] as const;

/** The case of a seed; all families are equally frequent. */
export function hostileCase(seed: number, randomOf: (seed: number) => Random): HostileCase {
  const random = randomOf(seed + 1);
  const [kind, makers] = families[seed % families.length] as (typeof families)[number];
  const make = makers[Math.floor(seed / families.length) % makers.length] as Make;
  return { kind, ...make(random) };
}
