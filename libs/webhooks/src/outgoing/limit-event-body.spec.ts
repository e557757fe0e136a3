import { describe, expect, it } from '@jest/globals';
import { MAX_BODY_BYTES, limitEventBody } from '../index.js';

const runId = '01a1fc3e-7c0d-7d6e-a1c3-0123456789ab';
const bodyOf = (data: Record<string, unknown>) => Buffer.from(JSON.stringify({ id: 'x', data }));
const output = (artifactId: string, size: number) => ({
  artifactId,
  artifactKind: 'text',
  contentText: 'ä'.repeat(size / 2),
  contentJson: null,
  isPrimaryOutput: artifactId === 'a',
});
const sent = (data: Record<string, unknown>) => {
  const body = limitEventBody(data, bodyOf);
  expect(body.length).toBeLessThan(MAX_BODY_BYTES - 500);
  return (JSON.parse(body.toString()) as { data: Record<string, unknown> }).data;
};

describe('limitEventBody', () => {
  it('leaves a body within the limit unchanged', () => {
    const data = { runId, outputs: [output('a', 100_000), output('b', 100_000)], cost: 1 };
    expect(sent(data)).toEqual(data);
  });

  it('replaces as few outputs as needed by links, largest first', () => {
    const small = output('b', 1000);
    const data = { runId, outputs: [output('a', 200_000), small, output('c', 1_000_000)], cost: 1 };
    expect(sent(data)).toEqual({
      runId,
      cost: 1,
      outputs: [
        output('a', 200_000),
        small,
        {
          artifactId: 'c',
          artifactKind: 'text',
          contentText: null,
          contentJson: null,
          isPrimaryOutput: false,
          link: `/v1/runs/${runId}/artifacts/c/content`,
        },
      ],
    });
  });

  it('replaces thousands of outputs by a link to the run', () => {
    const outputs = Array.from({ length: 3000 }, (_, n) => output(`artifact-${n}`, 200));
    expect(sent({ runId, outputs })).toEqual({ runId, outputs: [{ link: `/v1/runs/${runId}` }] });
  });

  it('truncates long members of other events', () => {
    const error = { code: 'PROVIDER', message: 'no '.repeat(200_000) };
    const data = sent({ runId, error }) as { error: typeof error };
    expect(data.error.code).toBe('PROVIDER');
    expect(data.error.message).toMatch(/^no no no/);
  });
});
