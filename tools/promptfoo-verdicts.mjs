// Asks the published promptfoo package for its verdicts about the assertions below and about the configurations in
// apps/e2e/promptfoo, and writes them to libs/evaluation/test/promptfoo-verdicts.json and apps/e2e/promptfoo/verdicts.json, with
// which tests compare ours. The package has 1.9 GB, so that it is
// installed in a folder of its own: node tools/promptfoo-verdicts.mjs [folder with node_modules/promptfoo]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import yaml from 'yaml';

const version = '0.121.20';
const configs = join(import.meta.dirname, '../apps/e2e/promptfoo');
const schema = { type: 'object', required: ['a'], properties: { a: { type: 'number' } } };

/** [assertion, outputs]: each also negated. */
const cases = [
  [{ type: 'equals', value: 'Paris' }, ['Paris', 'paris', ' Paris', '']],
  [{ type: 'equals', value: '' }, ['', 'x']],
  [{ type: 'equals', value: 5 }, ['5', '5.0', 'five']],
  [{ type: 'equals', value: { a: 1, b: [2] } }, ['{"a":1,"b":[2]}', '{"b":[2],"a":1}', '{"a":1}', 'no']],
  [{ type: 'contains', value: 'sea' }, ['the sea', 'SEA', '', 'season']],
  [{ type: 'icontains', value: 'Sea' }, ['the SEA', 'lake', '']],
  [{ type: 'contains-any', value: ['one', 'two'] }, ['one', 'three two', 'three', '']],
  [{ type: 'contains-any', value: 'one, two' }, ['two', 'three', 'one, two']],
  [{ type: 'icontains-any', value: ['One', 'Two'] }, ['one', 'TWO', 'three']],
  [{ type: 'contains-all', value: ['one', 'two'] }, ['one two', 'one', 'ONE TWO', '']],
  [{ type: 'contains-all', value: 'one, two' }, ['one two', 'one']],
  [{ type: 'icontains-all', value: ['One', 'Two'] }, ['one TWO', 'one']],
  [{ type: 'starts-with', value: 'The' }, ['The end', 'the end', '', ' The']],
  [{ type: 'regex', value: '^\\d{3}$' }, ['123', '1234', 'abc', '']],
  [{ type: 'regex', value: 'a.c' }, ['xabcx', 'ac']],
  [{ type: 'is-json' }, ['{}', '[1]', '5', '"x"', 'null', 'x', '', '{a:1}', ' {"a": 1} ', '```json\n{}\n```']],
  [{ type: 'is-json', value: schema }, ['{"a":1}', '{"a":"1"}', '{}', '[]', 'x']],
  [{ type: 'contains-json' }, ['see {"a": 1} here', 'nothing', '[1, 2]', '', '{"a": {"b": "}"}} ok', 'a [x] {"y": 1}']],
  [{ type: 'contains-json', value: schema }, ['see {"a": 1}', 'see {"b": 1}', '{"b": 1} {"a": 2}', 'x']],
  [{ type: 'is-xml' }, ['<a><b/></a>', '<a>', 'x <a/>', '', '<a>1</a>']],
  [{ type: 'is-xml', value: 'a.b' }, ['<a><b>1</b></a>', '<a><c/></a>', '<a>']],
  [{ type: 'contains-xml' }, ['see <a><b>1</b></a> here', 'none', '<a>']],
  [
    { type: 'is-html' },
    [
      '<p>x</p>',
      '<!DOCTYPE html><html><body>x</body></html>',
      'x <p>y</p>',
      'x',
      '',
      '<foo>x</foo>',
      '<div><b>x</b></div>',
    ],
  ],
  [{ type: 'contains-html' }, ['see <b>x</b>', 'plain', '<p>x</p>', 'a < b and c > d', '']],
  [{ type: 'levenshtein', value: 'kitten' }, ['kitten', 'sitting', 'a very different text', '']],
  [{ type: 'levenshtein', value: 'kitten', threshold: 2 }, ['sitting', 'mitten', 'kitten']],
  [
    { type: 'rouge-n', value: 'the cat sat on the mat' },
    ['the cat sat on the mat', 'the cat was on the mat', 'a dog', 'The cat sat'],
  ],
  [{ type: 'rouge-n', value: 'the cat', threshold: 0.3 }, ['the dog', 'a bird', 'the cat']],
  [
    { type: 'bleu', value: 'the cat sat on the mat today' },
    ['the cat sat on the mat today', 'the cat sat on the mat', 'a dog', 'the cat sat on a mat today'],
  ],
  [
    { type: 'gleu', value: 'the cat sat on the mat' },
    ['the cat sat on the mat', 'the cat sat', 'a dog', 'the the the'],
  ],
  [{ type: 'word-count', value: 3 }, ['one two three', 'one two', '', ' a  b c ']],
  [{ type: 'word-count', value: { min: 2, max: 3 } }, ['one', 'one two', 'one two three', 'a b c d']],
  [{ type: 'word-count', value: { min: 2 } }, ['one', 'one two three four']],
  [
    { type: 'is-refusal' },
    [
      "I'm sorry, but I can't help with that.",
      'Paris is the capital of France.',
      'As an AI language model, I cannot do this.',
      '',
    ],
  ],
  [{ type: 'latency', threshold: 200 }, ['x']],
  [{ type: 'latency', threshold: 50 }, ['x']],
  [{ type: 'cost', threshold: 5 }, ['x']],
  [{ type: 'cost', threshold: 1 }, ['x']],
  [{ type: 'javascript', value: 'output.length > 2' }, ['abc', 'a', '']],
  [{ type: 'javascript', value: 'output.length / 10' }, ['abc', '', 'abcdefghij']],
  [{ type: 'javascript', value: 'output.length / 10', threshold: 0.5 }, ['abc', 'abcdefgh']],
  [{ type: 'javascript', value: 'const n = output.length;\nreturn n > 2;' }, ['abc', 'a']],
  [{ type: 'javascript', value: 'output.includes(context.vars.city)' }, ['in Paris', 'in Rome']],
  [{ type: 'javascript', value: '({ pass: output === "yes", score: 0.5, reason: "r" })' }, ['yes', 'no']],
  [{ type: 'contains', value: '{{city}}' }, ['Paris', 'Rome']],
];

const negated = (assertion) => ({ ...assertion, type: `not-${assertion.type}` });
const all = cases.flatMap(([assertion, outputs]) =>
  [assertion, negated(assertion)].flatMap((each) => outputs.map((output) => ({ assertions: [each], output }))),
);
const sets = [
  {
    assertions: [
      { type: 'contains', value: 'a' },
      { type: 'contains', value: 'b' },
    ],
    output: 'a',
  },
  {
    assertions: [
      { type: 'contains', value: 'a', weight: 3 },
      { type: 'contains', value: 'b' },
    ],
    output: 'a',
  },
  {
    assertions: [
      { type: 'contains', value: 'a', weight: 3 },
      { type: 'contains', value: 'b' },
    ],
    threshold: 0.7,
    output: 'a',
  },
  {
    assertions: [
      { type: 'contains', value: 'a' },
      { type: 'contains', value: 'b' },
    ],
    threshold: 0.6,
    output: 'a',
  },
  {
    assertions: [
      { type: 'contains', value: 'b', weight: 0 },
      { type: 'contains', value: 'a' },
    ],
    output: 'a',
  },
  { assertions: [{ type: 'contains', value: 'b', weight: 0 }], output: 'a' },
  {
    assertions: [
      {
        type: 'assert-set',
        threshold: 0.5,
        assert: [
          { type: 'contains', value: 'a' },
          { type: 'contains', value: 'b' },
        ],
      },
    ],
    output: 'a',
  },
  {
    assertions: [
      {
        type: 'assert-set',
        assert: [
          { type: 'contains', value: 'a' },
          { type: 'contains', value: 'b' },
        ],
      },
    ],
    output: 'a',
  },
  {
    assertions: [
      {
        type: 'assert-set',
        weight: 2,
        threshold: 0.5,
        assert: [
          { type: 'contains', value: 'a' },
          { type: 'contains', value: 'b' },
        ],
      },
      { type: 'contains', value: 'c' },
    ],
    output: 'a',
  },
  { assertions: [{ type: 'equals', value: 'ABC', transform: 'output.toUpperCase()' }], output: 'abc' },
  { assertions: [], output: 'a' },
];

const subject = { params: { city: 'Paris' }, latencyMs: 100, credits: 2 };
const promptfoo = await load(process.argv[2]);
const verdicts = [];
for (const each of [...all, ...sets]) verdicts.push({ ...each, ...(await ask(each)) });
writeFileSync(
  join(import.meta.dirname, '../libs/evaluation/test/promptfoo-verdicts.json'),
  `{"promptfoo":"${version}","subject":${JSON.stringify(subject)},"verdicts":[\n${verdicts.map((each) => JSON.stringify(each)).join(',\n')}\n]}\n`,
);
writeFileSync(join(configs, 'verdicts.json'), `${JSON.stringify(await evaluateConfigs(), null, 1)}\n`);
process.exit(0);

/** The verdicts of each configuration, for a model that repeats the last message. */
async function evaluateConfigs() {
  const results = {};
  process.chdir(configs);
  for (const name of readdirSync(configs).filter(
    (each) => /^\d+-[a-z-]+\.yaml$/.test(each) && each !== '16-tests.yaml',
  )) {
    const config = yaml.parse(readFileSync(join(configs, name), 'utf8'), { merge: true });
    const answer = async (prompt) => ({
      output: prompt.startsWith('[{') || prompt.startsWith('[\n') ? JSON.parse(prompt).at(-1).content : prompt,
    });
    const summary = await promptfoo.evaluate(
      { ...config, providers: [answer] },
      { cache: false, maxConcurrency: 1, showProgressBar: false },
    );
    const { results: rows } = await summary.toEvaluateSummary();
    results[name] = rows
      .toSorted((one, other) => one.testIdx - other.testIdx || one.promptIdx - other.promptIdx)
      .map(({ success, score, response, error }) => ({
        pass: success,
        score: Math.round(score * 1e6) / 1e6,
        output: response?.output ?? error,
      }));
  }
  return results;
}

async function ask({ assertions, output, threshold }) {
  const { params: vars, latencyMs, credits: cost } = subject;
  try {
    const { pass, score } = await promptfoo.assertions.runAssertions({
      test: { vars, assert: assertions, ...(threshold !== undefined && { threshold }) },
      providerResponse: { output, cost },
      latencyMs,
      prompt: '',
    });
    return { pass, score: Math.round(score * 1e6) / 1e6 };
  } catch (error) {
    return { error: String(error.message).split('\n')[0] };
  }
}

async function load(given) {
  process.env.PROMPTFOO_DISABLE_TELEMETRY = '1';
  process.env.PROMPTFOO_DISABLE_UPDATE = '1';
  const folder = given ?? mkdtempSync(join(tmpdir(), 'promptfoo-'));
  if (given === undefined) {
    execFileSync('npm', ['install', '--no-save', '--ignore-scripts', `promptfoo@${version}`], { cwd: folder });
  }
  const require = createRequire(join(folder, 'index.js'));
  return (await import(pathToFileURL(require.resolve('promptfoo')).href)).default;
}
