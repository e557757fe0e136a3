import type { ExperimentCell, GateOutcome } from '@lensforge/contracts';

export interface JunitSubject {
  name: string;
  outcome: GateOutcome | null;
}

/** JUnit XML: a test case for each cell, and one for each rule of the gate. */
export async function* writeJunit(
  { name, outcome }: JunitSubject,
  cells: AsyncIterable<ExperimentCell> | Iterable<ExperimentCell>,
): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite name="${escape(name)}">\n`;
  for await (const cell of cells) yield toTestCase(cell);
  yield '</testsuite>\n';
  if (outcome) {
    yield `<testsuite name="${escape(`${name}: gate`)}">\n`;
    for (const { arm, rule, result, reason } of outcome.rules) {
      const failure = result === 'passed' ? '' : `<failure type="${result}" message="${escape(reason)}"/>`;
      yield `<testcase classname="${escape(arm)}" name="${escape(JSON.stringify(rule))}">${failure}</testcase>\n`;
    }
    yield '</testsuite>\n';
  }
  yield '</testsuites>\n';
}

function toTestCase({ key, arm, repetition, state, error, output, scores, latencyMs }: ExperimentCell): string {
  const time = latencyMs === null ? '' : ` time="${latencyMs / 1000}"`;
  const failed = scores.filter(({ pass }) => !pass);
  const failures = failed.map(
    ({ scorer, reason }) =>
      `<failure type="${escape(scorer)}" message="${escape(reason)}">${escape(output ?? '')}</failure>`,
  );
  const fault =
    state === 'failed' ? `<error message="${escape(error ?? '')}"/>` : state === 'scored' ? '' : '<skipped/>';
  const title = repetition === 1 ? key : `${key} (${repetition})`;
  return `<testcase classname="${escape(arm)}" name="${escape(title)}"${time}>${fault}${failures.join('')}</testcase>\n`;
}

/** A text within XML 1.0, which has no control characters. */
const escape = (text: string): string =>
  [...text.toWellFormed()]
    .filter((character) => character >= ' ' || '\t\n\r'.includes(character))
    .join('')
    .replaceAll(/[<>&"]/g, (character) => `&#${character.codePointAt(0)};`);
