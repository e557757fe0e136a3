import { describe, expect, it } from '@jest/globals';
import { documentsIn, faultsOfReplies } from './shown-replies.js';

describe('documentsIn', () => {
  it('finds documents without lines between them, and skips other lines', () => {
    const text = 'first { line\n{"a":"}"}{"b":[1,{"c":"\\"]"}]}\n[2]\nlast line';
    expect(documentsIn(text)).toEqual([{ a: '}' }, { b: [1, { c: '"]' }] }, [2]]);
  });
});

describe('faultsOfReplies', () => {
  const id = '01a1fbf3-1cfa-7419-8fe3-db5b0fbc4789';
  const shown = JSON.stringify({ data: { id, status: 'queued', n: 34, at: '2026-11-21T02:32:56.270Z' }, error: null });
  const reply = (more: object): string =>
    JSON.stringify({
      data: { id: id.replace('01a1', '0fff'), status: 'succeeded', n: 7, at: '2027-01-01T00:00:00Z', ...more },
      error: null,
    });

  it('finds none when ids, times, numbers and the progress of a run differ', () => {
    expect(faultsOfReplies(shown, `{"another":1}\n${reply({})}`)).toEqual([]);
  });

  it.each([
    [{ status: 'failed' }, '.data.status is "failed"'],
    [{ n: '7' }, '.data.n is "7"'],
    [{ id: 'x' }, '.data.id is "x"'],
    [{ more: 1 }, '.data.more is not shown'],
    [{ n: undefined }, '.data.n is missing'],
  ])('finds %j', (more, fault) => {
    expect(faultsOfReplies(shown, reply(more))).toEqual([`reply 1${fault}`]);
  });

  it('accepts what the page leaves out', () => {
    expect(faultsOfReplies('{"a":["x","…"],"…":"…"}', '{"a":["x","y"],"b":2}')).toEqual([]);
    expect(faultsOfReplies('{"a":["x"]}', '{"a":["x","y"]}')).toEqual(['reply 1.a has 2 items']);
    expect(faultsOfReplies('{"a":"It says …."}', '{"a":"It says so."}')).toEqual([]);
  });

  it('needs as many replies as are shown', () => {
    expect(faultsOfReplies('{"a":1}\n{"a":2}', '{"a":1}')).toEqual([expect.stringContaining('prints 1 replies')]);
  });
});
