import { describe, expect, it } from '@jest/globals';
import { maxImageTokens, measureImages } from './image-tokens.js';

/** The beginnings of images of 640 × 480 pixels. */
const headers: Record<string, number[]> = {
  'image/png': [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 0x80, 0, 0, 1, 0xe0,
    8, 2, 0, 0, 0,
  ],
  'image/gif': [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 0x80, 2, 0xe0, 1, 0, 0, 0],
};
const image = (bytes: number[]) => ({ mediaType: 'image/png', data: Buffer.from(bytes).toString('base64') });

describe('measureImages', () => {
  it.each(Object.entries(headers))('reads the size of %s from its data', async (_, bytes) => {
    expect(await measureImages([image(bytes)])).toEqual([{ width: 640, height: 480 }]);
  });

  it('does not know the size of an image by its address, or of data that is no image', async () => {
    const others = [{ mediaType: 'image/png', url: 'https://example.com/a.png' }, image([1, 2, 3]), image([])];
    expect(await measureImages(others)).toEqual([undefined, undefined, undefined]);
    expect(await measureImages([image(headers['image/png']!.slice(0, 20))])).toEqual([undefined]);
    const svg = Buffer.from('<svg width="640" height="480" xmlns="http://www.w3.org/2000/svg"></svg>');
    expect(await measureImages([image([...svg])])).toEqual([undefined]);
  });
});

describe('the most tokens of an image', () => {
  it.each([
    ['openai', { width: 640, height: 480 }, 738],
    ['openai', { width: 32, height: 32 }, 255],
    ['openai', { width: 2048, height: 4096 }, 3779],
    ['anthropic', { width: 1000, height: 750 }, 1000],
    ['anthropic', { width: 8000, height: 8000 }, 4784],
    ['google', { width: 300, height: 300 }, 1120],
    ['google', { width: 960, height: 540 }, 1548],
    ['openai', undefined, 3779],
    ['anthropic', undefined, 4784],
    ['google', undefined, 2064],
    ['openai-compatible', { width: 640, height: 480 }, 1500],
  ] as const)('of %s for %j are %i', (provider, size, tokens) => {
    expect(maxImageTokens(provider, size)).toBe(tokens);
  });
});
