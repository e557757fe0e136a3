import { imageTypes, isRecord } from '@lensforge/contracts';
import { badInput } from '@lensforge/core';

/** An image for the model, as base64 data or as a URL that the provider fetches. */
export type PromptImage = { mediaType: string } & ({ data: string } | { url: string });

const maxImages = 10;

/** Moves parameters of the form `{"image": {"data" or "url", "mediaType"}}` into a list of images; `[image 1]` replaces each. */
export function extractImages(params: Readonly<Record<string, unknown>>): {
  params: Record<string, unknown>;
  images: PromptImage[];
} {
  const images: PromptImage[] = [];
  const texts = Object.entries(params).map(([label, value]): [string, unknown] => {
    if (!isRecord(value) || Object.keys(value).join() !== 'image' || !isRecord(value['image'])) return [label, value];
    images.push(readImage(label, value['image']));
    return [label, `[image ${images.length}]`];
  });
  if (images.length > maxImages) throw badInput('params', `at most ${maxImages} parameters can be images`);
  return { params: Object.fromEntries(texts), images };
}

function readImage(label: string, { mediaType, data, url, ...others }: Record<string, unknown>): PromptImage {
  const refuse = (member: string, message: string): never => {
    throw badInput(`params.${label}.image${member}`, message);
  };
  const [other] = Object.keys(others);
  if (other !== undefined) refuse(`.${other.slice(0, 40)}`, 'is not known: an image has mediaType, and data or url');
  if (typeof mediaType !== 'string' || !(imageTypes as readonly string[]).includes(mediaType))
    return refuse('.mediaType', `must be one of ${imageTypes.join(', ')}`);
  if ((data === undefined) === (url === undefined)) return refuse('', 'must have either data or url');
  if (url !== undefined) {
    if (typeof url !== 'string' || !isFetchable(url)) return refuse('.url', 'must be an https URL without credentials');
    return { mediaType, url };
  }
  if (typeof data !== 'string' || !isBase64(data)) return refuse('.data', 'must be base64');
  return { mediaType, data };
}

const isBase64 = (text: string): boolean =>
  text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/** True for an https address without credentials. */
export function isFetchable(text: string): boolean {
  if (text.length > 2048 || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}
