import { describe, expect, it } from '@jest/globals';
import type { Assertion, Subject } from './assertion.js';
import { checkTasks } from './check-tasks.js';
import { readAssertions } from './read-assertions.js';

const aSubject = (output: string, more: Partial<Subject> = {}): Subject => ({
  output,
  params: {},
  expected: null,
  latencyMs: null,
  credits: null,
  ...more,
});
async function score(assertion: Assertion, subject: Subject) {
  const [found] = await checkTasks.checkOutputs([{ check: { assertions: [assertion] }, subject }]);
  return found;
}

describe('an assertion', () => {
  it('without a value is about what the case expects', async () => {
    expect(await score({ type: 'equals' }, aSubject('calm', { expected: 'calm' }))).toMatchObject({
      pass: true,
      score: 1,
    });
    expect(await score({ type: 'equals' }, aSubject('{"a":1}', { expected: { a: 1 } }))).toMatchObject({ pass: true });
    expect(await score({ type: 'contains' }, aSubject('rough', { expected: 'calm' }))).toMatchObject({ pass: false });
    expect(await score({ type: 'contains' }, aSubject('rough'))).toMatchObject({
      pass: false,
      reason: expect.stringContaining('needs a text'),
    });
  });

  it('has the parameters of the case and what it expects in place of names', async () => {
    const subject = aSubject('Ada is 36', { params: { Name: 'Ada' }, expected: 36 });
    expect(await score({ type: 'equals', value: '{{Name}} is {{ expected }}' }, subject)).toMatchObject({ pass: true });
    expect(await score({ type: 'contains', value: '{{Other}}' }, subject)).toMatchObject({ pass: false });
  });

  it('about the finish reason needs one', async () => {
    const cutOff = aSubject('One, two', { finishReason: 'length' });
    expect(await score({ type: 'finish-reason', value: 'stop' }, cutOff)).toMatchObject({
      pass: false,
      reason: 'finish-reason: the model should finish with stop; it did with length',
    });
    expect(await score({ type: 'finish-reason', value: 'Length' }, cutOff)).toMatchObject({ pass: true });
    expect(await score({ type: 'not-finish-reason', value: 'length' }, cutOff)).toMatchObject({ pass: false });
    expect(await score({ type: 'finish-reason', value: 'stop' }, aSubject('One'))).toMatchObject({ pass: false });
  });

  it('that cannot be computed does not pass, negated or not, and says why', async () => {
    for (const type of ['regex', 'not-regex']) {
      expect(await score({ type, value: '(' }, aSubject('('))).toMatchObject({
        pass: false,
        reason: expect.stringContaining('pattern'),
      });
    }
    expect(await score({ type: 'latency' }, aSubject(''))).toMatchObject({
      pass: false,
      reason: expect.stringContaining('threshold'),
    });
    expect(await score({ type: 'is-json', value: { type: 'nonsense' } }, aSubject('1'))).toMatchObject({ pass: false });
  });

  it('in JavaScript has limits of time and memory, and reaches nothing outside', async () => {
    const run = (value: string) => score({ type: 'javascript', value }, aSubject('x'));
    expect(await run('(() => { while (true) {} })()')).toMatchObject({
      pass: false,
      reason: expect.stringContaining('interrupted'),
    });
    expect(await run('const a = []; while (true) a.push(new Uint8Array(1e6)); return true')).toMatchObject({
      pass: false,
    });
    for (const name of ['process', 'require', 'fetch', 'globalThis.constructor.constructor("return process")()']) {
      expect(await run(`typeof (${name}) === 'undefined'`).catch(() => undefined)).toBeDefined();
      expect((await run(`(${name}) !== undefined`))?.pass).toBe(false);
    }
    expect(await run('({})')).toMatchObject({ pass: false, reason: expect.stringContaining('must return') });
  });

  it('is refused with its place when it is not known', () => {
    const read = (assertion: Record<string, unknown>) => () => readAssertions([assertion], 'scorers.0.assertions');
    expect(read({ type: 'equal' })).toThrow('scorers.0.assertions.0.type must be one of');
    expect(read({ type: 'equals', valeu: 1 })).toThrow('scorers.0.assertions.0.valeu is not known');
    expect(read({ type: 'assert-set', assert: [] })).toThrow('0.assert must be a list of assertions');
    const nest = (depth: number): Record<string, unknown> =>
      depth === 0 ? { type: 'is-json' } : { type: 'assert-set', assert: [nest(depth - 1)] };
    expect(read(nest(3))).not.toThrow();
    expect(read(nest(4))).toThrow('sets may be in sets 3 deep');
    expect(readAssertions([{ type: 'not-equals', value: 1 }], 'a')).toMatchObject([{ type: 'not-equals', value: 1 }]);
  });
});
