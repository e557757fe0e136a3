import type { PromptImage } from './prompt-images.js';

/** The width and height of an image in pixels; undefined when they are not known, such as for an image by its address. */
export type ImageSize = { width: number; height: number } | undefined;

/** The formats that a prompt can have; the library does not try others on what a stranger sends. */
const measured: readonly string[] = ['png', 'jpg', 'webp', 'gif'];

/** A header is within this part of an image. */
const maxHeaderCharacters = 700_000;

/** Reads the sizes of images from their data. */
export async function measureImages(images: readonly PromptImage[]): Promise<ImageSize[]> {
  if (images.length === 0) return [];
  const { disableTypes, imageSize, types } = await import('image-size');
  disableTypes(types.filter((type) => !measured.includes(type)));
  return images.map((image) => {
    if ('url' in image) return undefined;
    try {
      // A copy, since the library reads beyond the end of a buffer in a pool.
      const bytes = new Uint8Array(Buffer.from(image.data.slice(0, maxHeaderCharacters), 'base64'));
      const { width, height } = imageSize(bytes);
      return width > 0 && height > 0 ? { width, height } : undefined;
    } catch {
      return undefined;
    }
  });
}

/** The tokens when the size or the rule is not known. */
const unknown = { openai: 3779, anthropic: 4784, google: 2064, other: 1500 } as const;

/**
 * The most tokens that a provider counts for an image by its published rules. They differ by model, so that the rule with
 * the most tokens applies: a hold must cover it.
 */
export function maxImageTokens(provider: string | undefined, size: ImageSize): number {
  switch (provider) {
    case 'openai':
      return size ? Math.max(Math.ceil(countPatches(size) * 2.46), 85 + 170 * countTiles(size)) : unknown.openai;
    case 'anthropic':
      return size ? Math.min(Math.ceil((size.width * size.height) / 750), unknown.anthropic) : unknown.anthropic;
    case 'google':
      return size ? Math.max(1120, countCrops(size) * 258) : unknown.google;
    default:
      return unknown.other;
  }
}

type Size = NonNullable<ImageSize>;

/** OpenAI, newer models: patches of 32 pixels. */
const countPatches = ({ width, height }: Size): number =>
  Math.min(Math.ceil(width / 32) * Math.ceil(height / 32), 1536);

/** OpenAI, older models: tiles of 512 pixels of the image, which is reduced to 2,048 pixels and its shorter side to 768. */
function countTiles({ width, height }: Size): number {
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const scale = fit * Math.min(1, 768 / (fit * Math.min(width, height)));
  return Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512);
}

/** Google: one tile for small images, or else as many as fit by two thirds of the shorter side. */
function countCrops({ width, height }: Size): number {
  if (width <= 384 && height <= 384) return 1;
  const unit = Math.max(1, Math.floor(Math.min(width, height) / 1.5));
  return Math.min(Math.ceil(width / unit) * Math.ceil(height / unit), 64);
}
