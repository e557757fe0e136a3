import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { closeSandbox, configureSandbox } from '@lensforge/sandbox';
import { InlineBudget, computeExpressions, maxResultBytes, requireValue } from './compute-expressions.js';
import { ExpressionFault, failedByAuthor } from './expression-fault.js';
import { evaluate, evaluateCondition, readExpression } from './expression.js';
import { expressionsIn, resolveValue } from './values.js';

const scope = {
  inputs: { n: 2, f: 1.5, text: 'a,b', list: [1, 2, 3], docs: [{ title: 'A' }, { title: 'B' }], nothing: null },
  nodes: { draft: { output: { text: 'Hello', score: 7 }, status: 'succeeded' }, 'two-words': { output: null } },
  input: { wired: 'yes' },
  run: { id: 'r1' },
  item: { name: 'x' },
  index: 4,
};

describe('evaluate', () => {
  it.each([
    ['inputs.n + 1', 3],
    ['1 + inputs.n * 2.5', 6],
    ['inputs.n / 4', 0.5],
    ['inputs.n % 2 == 0', true],
    ['size(inputs.list) + inputs.n', 5],
    ['inputs.list[index - 4]', 1],
    ['inputs.list.map(x, x * 2)', [2, 4, 6]],
    ['inputs.docs.map(d, d.title).join(", ")', 'A, B'],
    ['inputs.docs.filter(d, d.title != "A")', [{ title: 'B' }]],
    ['nodes.draft.output.score >= 8 ? "good" : "again"', 'again'],
    ['nodes["two-words"].output == null', true],
    ['nodes.draft.status', 'succeeded'],
    ['input.wired + run.id', 'yesr1'],
    ['item.name + string(index)', 'x4'],
    ['inputs.?missing.orValue("none")', 'none'],
    ['inputs.?missing', null],
    ['has(inputs.missing)', false],
    ['{"a": 1, "b": [inputs.f, "c", null]}', { a: 1, b: [1.5, 'c', null] }],
    ['json(inputs.list)', '[1,2,3]'],
    ['parseJson("{\\"score\\": 3}").score + 1', 4],
    ['inputs.text.replace(",", "$&").split("$")', ['a', '&b']],
    ['timestamp("2026-11-21T09:30:00Z") + duration("1h")', '2026-11-21T10:30:00.000Z'],
    ['b"hi"', 'aGk='],
    ['"__proto__" in inputs', false],
  ])('evaluates %s', (text, value) => {
    expect(evaluate(text, scope)).toEqual(value);
  });

  it('fails with the message of its author', () => {
    const text = 'nodes.draft.output.score < 9 ? fail("score " + string(nodes.draft.output.score) + " < 9") : "ok"';
    expect(() => evaluate(text, scope)).toThrow(new ExpressionFault(failedByAuthor, 'score 7 < 9'));
    expect(evaluate('inputs.n > 5 ? fail("too many") : inputs.n', scope)).toBe(2);
    expect(() => evaluate('fail(1)', scope)).toThrow(/fail/);
  });

  it.each([
    ['1 +', 'unexpected_token', 'character 4'],
    ['nope', 'unknown_variable', 'nope'],
    ['unknown(1)', 'no_matching_overload', 'unknown'],
    ['"a" + 1', 'no_such_overload', 'character 1'],
    ['size(nodes)', 'bad_reference', 'nodes must be followed by the id'],
    ['nodes[inputs.text]', 'bad_reference', 'nodes'],
    ['"x".repeat(3)', 'no_matching_overload', 'repeat'],
    [`${'('.repeat(70)}1${')'.repeat(70)}`, 'max_recursion_depth', ''],
    [`"${'a'.repeat(4000)}"`, 'too_long', '4000'],
    ['[1].map(a, [1].map(b, [1].map(c, [1].map(d, 1))))', 'too_deep', 'loops'],
  ])('refuses an invalid expression: %.60s', (text, code, part) => {
    const read = (): unknown => readExpression(text);
    expect(read).toThrow(ExpressionFault);
    expect(read).toThrow(part);
    try {
      read();
    } catch (reason) {
      if (code !== 'max_recursion_depth') expect(reason).toMatchObject({ code });
    }
  });

  it.each([
    ['inputs.missing', 'no_such_key'],
    ['inputs.constructor', 'no_such_key'],
    ['inputs.__proto__', 'no_such_key'],
    ['inputs.text + inputs.n', 'no_such_overload'],
    ['1 / 0', 'division_by_zero'],
    ['inputs.n / 0', 'not_a_number'],
    ['9007199254740993', 'numeric_overflow'],
    ['parseJson("{")', 'not_json'],
    ['type(1)', 'not_a_value'],
  ])('gives the reason of a failure: %s', (text, code) => {
    expect(() => evaluate(text, scope)).toThrow(expect.objectContaining({ name: 'ExpressionFault', code }));
  });

  it('limits the size and depth of the value', () => {
    const large = { inputs: { text: 'x'.repeat(300_000) } };
    expect(() => evaluate('[inputs.text, inputs.text, inputs.text, inputs.text]', large)).toThrow('1048576');
    let deep: unknown = 1;
    for (let level = 0; level < 40; level += 1) deep = [deep];
    expect(() => evaluate('inputs.deep', { inputs: { deep } })).toThrow('32');
  });

  it('returns JSON values unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(JSON.stringify(evaluate('inputs.value', { inputs: { value } }))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('throws nothing but ExpressionFault', () => {
    const parts = fc.constantFrom(...'inputs nodes . [ ] ( ) a 1 + - "x" ? : && || ! in map ( , { } item'.split(' '));
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (words) => {
        try {
          evaluate(words.join(' '), scope);
        } catch (reason) {
          expect(reason).toBeInstanceOf(ExpressionFault);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('finds the referenced nodes', () => {
    const { nodes, usesItem } = readExpression(
      'nodes.a.output + nodes["b-c"].output + string(has(nodes.d.output)) + inputs.l.map(item, item).join()',
    );
    expect(nodes).toEqual(['a', 'b-c', 'd']);
    expect(usesItem).toBe(false);
    expect(readExpression('inputs.l.map(x, x + item)').usesItem).toBe(true);
  });
});

it('evaluateCondition refuses values other than true and false', () => {
  expect(evaluateCondition('inputs.n > 1', scope)).toBe(true);
  expect(() => evaluateCondition('inputs.n', scope)).toThrow('true or false');
});

it('resolveValue and expressionsIn find expressions at any depth', () => {
  const settings = { plain: '$', list: [{ $: 'inputs.n' }, { deep: { $: 'item.name' } }], two: { $: 'x', more: 1 } };
  expect(resolveValue(settings, (text) => evaluate(text, scope))).toEqual({
    plain: '$',
    list: [2, { deep: 'x' }],
    two: { $: 'x', more: 1 },
  });
  expect(expressionsIn(settings, 'params')).toEqual([
    { path: 'params.list[0]', text: 'inputs.n' },
    { path: 'params.list[1].deep', text: 'item.name' },
  ]);
});

/** Nested `cel.bind` expressions, each with twice the value of the one before. */
const doubling = (times: number): string =>
  Array.from({ length: times }, (_, at) => times - at).reduce(
    (inner, at) => `cel.bind(a${at}, a${at - 1} + a${at - 1}, ${inner})`,
    `a${times}.size()`,
  );

describe('computeExpressions', () => {
  const limits = { account: 'one' };
  const many = { inputs: { list: Array.from({ length: 20_000 }, (_, n) => n), text: `${'a'.repeat(60)}!` } };
  const outcomesOf = (texts: readonly string[], given = many) =>
    computeExpressions(
      texts.map((text) => ({ text, scope: given })),
      limits,
    );

  // A slow machine may need more than a second of processor time to reach the memory limit.
  beforeAll(() => configureSandbox({ timeMs: 3000 }));
  afterAll(() => closeSandbox());

  it('returns a fault for an expression that takes too much time or memory', async () => {
    for (const [text, code] of [
      ['inputs.list.all(x, inputs.list.all(y, inputs.list.all(z, z >= 0)))', 'too_slow'],
      ['inputs.text.matches("^(a+)+$")', 'too_slow'],
      [`cel.bind(a0, [1, 2, 3, 4], ${doubling(27)})`, 'too_much_memory'],
      [`inputs.list.map(x, inputs.list)`, 'too_large'],
    ] as const) {
      expect(await outcomesOf([text])).toEqual([{ fault: expect.objectContaining({ code }) }]);
    }
  });

  it('returns the same values in process and in the sandbox', async () => {
    const texts = [
      'inputs.list.exists(x, x == 3)',
      'inputs.list.map(x, x).size()',
      '1 + 1',
      'inputs.text.matches("!$")',
    ];
    expect((await outcomesOf(texts)).map(requireValue)).toEqual([true, 20_000, 2, true]);
    expect(await outcomesOf(['nope', 'inputs.none', '[1].map(x, x / 0)'])).toEqual(
      ['unknown_variable', 'no_such_key', 'division_by_zero'].map((code) => ({
        fault: expect.objectContaining({ code }),
      })),
    );
  });

  it('limits all results of a call to 1 MiB together', async () => {
    const text = 'x'.repeat(maxResultBytes / 3);
    const texts = Array.from({ length: 4 }, () => '[inputs.text].map(t, t)[0]');
    expect(await outcomesOf(texts.slice(0, 2), { inputs: { text, list: [] } })).toEqual([
      { value: text },
      { value: text },
    ]);
    expect(await outcomesOf(texts, { inputs: { text, list: [] } })).toEqual(
      texts.map(() => ({ fault: expect.objectContaining({ code: 'output_too_large' }) })),
    );
  });

  it.each([
    ['inputs.n', true],
    ['"Hello " + inputs.text + "!"', true],
    ['nodes.draft.output.score >= 8 && inputs.n < 3 ? "good" : "again"', true],
    ['inputs.docs[0].title.contains("A")', true],
    ['json(inputs)', true],
    ['inputs.?missing.orValue("none")', true],
    ['inputs.text.replace(",", "-")', true],
    ['inputs.list.map(x, x)', false],
    ['cel.bind(a, inputs.n, a + a)', false],
    ['inputs.text.matches("a")', false],
    ['json(json(inputs))', false],
    ['inputs.text.split(",").join(inputs.text)', false],
    ['inputs.text.replace(",", "a long text to put in its place")', false],
  ])('evaluates %s in process: %s', (text, cheap) => {
    expect(new InlineBudget().evaluate({ text, scope }) !== undefined).toBe(cheap);
  });

  it('uses the sandbox for large values and when the budget is used up', () => {
    const large = { inputs: { list: Array.from({ length: 100_000 }, () => 1), n: 1 } };
    const inline = (text: string) => new InlineBudget().evaluate({ text, scope: large }) !== undefined;
    expect(inline('inputs.list == inputs.list')).toBe(false);
    expect(inline('inputs.n + 1')).toBe(true);
    const budget = new InlineBudget();
    const text = Array.from({ length: 20 }, () => 'inputs.docs == inputs.docs').join(' && ');
    const evaluations = Array.from({ length: 1000 }, () => budget.evaluate({ text, scope }));
    expect(evaluations.at(0)).toEqual({ value: true });
    expect(evaluations.at(-1)).toBeUndefined();
  });
});
