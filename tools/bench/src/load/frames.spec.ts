import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Chunks, Frames, isLast, sequenceOf } from './frames.js';

const chunked = (texts: readonly string[]): Buffer =>
  Buffer.concat(texts.map((text) => Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)));

function framesOf(bytes: Buffer, cuts: readonly number[]): string[] {
  const found: string[] = [];
  const frames = new Frames((frame) => found.push(frame));
  const chunks = new Chunks((text) => frames.push(text));
  const places = [0, ...[...cuts].map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  places.forEach((place, index) => chunks.push(bytes.subarray(place, places[index + 1] ?? place)));
  return found;
}

const sent = [
  ': keep-alive\n\n',
  'id: 1\nevent: a\ndata: {"sequence":1}\n\nid: 2\nevent: a\ndata: {"sequence":2}\n\n',
  'retry: 2000\n\n',
  'id: 3\nevent: done\ndata: {}\n\n',
];

describe('reading a stream', () => {
  it('finds each frame once and in order, wherever the bytes are cut', () => {
    const bytes = chunked(sent);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), (cuts) => {
        const frames = framesOf(bytes, cuts);
        expect(frames.map((frame) => frame.split('\n')[0])).toEqual(['id: 1', 'id: 2', 'id: 3']);
      }),
    );
  });

  it('joins a frame from several chunks', () => {
    expect(framesOf(chunked(['data: a', 'b\n', '\ndata: c\n\n']), [])).toEqual(['data: ab', 'data: c']);
  });
});

describe('a frame', () => {
  it('has its sequence number', () => {
    expect(sequenceOf('data: {"payload":{"text":"x"},"sequence":42}')).toBe(42);
    expect(sequenceOf('data: {"sequence":7,"runId":"a"}')).toBe(7);
    expect(sequenceOf('data: {"done":false}')).toBe(0);
  });

  it('is recognised as the last one', () => {
    expect(isLast('id: 3\nevent: done\ndata: {}')).toBe(true);
    expect(isLast('data: {"done":true}')).toBe(true);
    expect(isLast('data: {"done":false}')).toBe(false);
  });
});
