import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { expressionChecker, expressionsIn } from './slow-expressions.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'apps', 'libs', 'actions'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter(
    (file) =>
      /\.(tsx?|mjs)$/.test(file) &&
      !/\.(spec|journey|faults|sample)\.[a-z]+$|\/testing\.ts$|\/test\/|\/generated\/|^apps\/e2e\//.test(file),
  );

/** Expressions whose input is bounded, each with the bound. */
const bounded = new Map([
  [
    String.raw`apps/console/src/workflows/completions.ts: /(?<!\w)[A-Za-z_]\w*(?:\.\w*|\["[^"]*"\]?)*(?:\["[^"]*)?$|\.\w*$/`,
    'reads the 500 characters before the cursor',
  ],
  [
    String.raw`apps/console/src/workflows/expression-references.ts: /"""(?<text1>(?:\\[^]|[^\\])*?)"""|'''(?<text2>(?:\\[^]|[^\\])*?)'''|"(?<text3>(?:\\.|[^"\\\n])*)"|'(?<text4>(?:\\.|[^'\\\n])*)'/`,
    'an expression in a graph, which has at most 4,000 characters',
  ],
  [
    String.raw`apps/run-worker/src/agents/mcp-client/mcp-fault.ts: /^(McpFault|EgressFailed|Sdk\w*Error|ProtocolError|\w*OAuth\w*Error|IssuerMismatchError|ZodError|SyntaxError|TypeError|AbortError)$/`,
    'names of classes of this program',
  ],
  [
    'apps/run-worker/src/providers/offline-answer.ts: /^["\'`(\\s]+|["\'`)\\s]+$/g',
    'an option in a list of at most 400 characters',
  ],
  [
    String.raw`apps/run-worker/src/providers/rates.ts: /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g`,
    'a header of at most 40 characters',
  ],
  [
    String.raw`libs/edge/src/boot/setting-limits.ts: /^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/`,
    'a setting of at most 300 characters',
  ],
  [
    String.raw`libs/core/src/redaction.ts: /\b(eyJ)[A-Za-z0-9_-]{8,1000}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]*/`,
    'an attempt reads at most 1,000 characters before a dot, so that few attempts go on behind it',
  ],
  [
    String.raw`libs/edge/src/rest/static-files.ts: /[-.](?=[\w-]*[\dA-Z])[\w-]{8,}\.(?:css|js|woff2|svg|png)$/`,
    'names of files of the build',
  ],
]);

it('the check of regular expressions recognises slow ones', () => {
  const { complexityOf } = expressionChecker();
  const complexityIn = (line) => expressionsIn('x.ts', line).map(complexityOf);
  for (const line of [
    'text.split(/\\s*;\\s*/)',
    'const ending = /\\/+$/;',
    'const words = /^(\\w+ ?)*$/;',
    'new RegExp([String.raw`\\s+$`].join("|"))',
  ])
    expect(complexityIn(line)).toEqual([expect.stringMatching(/polynomial|exponential/)]);
  for (const line of ['text.split(/;\\s*/)', 'const word = /^\\w+$/;', 'a / b / c', 'const short = /a{1,20}b?/;'])
    expect(complexityIn(line).filter((each) => each !== undefined)).toEqual([]);
});

it('recorded verdicts are those of the checker, and LENSFORGE_RECORD=1 records those of new expressions', () => {
  const { recorded } = expressionChecker();
  const fresh = expressionChecker({});
  const some = Object.entries(recorded).filter((_, at) => at % 20 === 0);
  expect(some.length).toBeGreaterThan(5);
  expect(some.map(([expression]) => [expression, fresh.complexityOf(expression) ?? ''])).toEqual(some);
});

it('no regular expression takes more time than its input grows', () => {
  expect(sources.length).toBeGreaterThan(400);
  const checker = expressionChecker();
  const found = sources.flatMap((file) =>
    expressionsIn(file, readFileSync(root + file, 'utf8'))
      .filter((expression) => checker.complexityOf(expression) !== undefined)
      .map((expression) => `${file}: ${expression}`),
  );
  if (process.env.LENSFORGE_RECORD) checker.record();
  expect(found.filter((each) => !bounded.has(each))).toEqual([]);
  expect([...bounded.keys()].filter((each) => !found.includes(each))).toEqual([]);
});
