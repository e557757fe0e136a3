import type { FastifyReply, FastifyRequest } from 'fastify';

/** Longer values of headers are not parsed. */
const maxCharacters = 1000;

/** True for a Content-Type without parameters or with `charset=utf-8` alone. */
export function isInUtf8(contentType: string): boolean {
  if (contentType.length > maxCharacters) return false;
  if (!contentType.includes(';')) return true;
  const [, ...parameters] = splitParts(contentType, ';');
  const given = parameters.filter((each) => each !== '');
  return given.length <= 1 && given.every((each) => /^charset\s*=\s*"?utf-?8"?$/i.test(each));
}

/** Says that the reply depends on Accept-Encoding, and returns the encodings there: those named without `q=0`. */
export function negotiateEncoding({ headers }: FastifyRequest, reply: FastifyReply): string[] {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept-encoding' : [vary, 'accept-encoding'].flat().join(', '));
  const { 'accept-encoding': accepted } = headers;
  return accepted === undefined ? [] : acceptedEncodings([accepted].flat().join(','));
}

/** The encodings in an Accept-Encoding: those named without `q=0`. */
export function acceptedEncodings(acceptEncoding: string): string[] {
  if (acceptEncoding.length > maxCharacters) return [];
  return splitParts(acceptEncoding.toLowerCase(), ',')
    .map((each) => splitParts(each, ';'))
    .filter(([, quality = '']) => !/^q=0(\.0*)?$/.test(quality))
    .map(([name = '']) => name);
}

/** Splits and trims without a pattern, so that the time grows with the length alone. */
const splitParts = (text: string, separator: string): string[] => text.split(separator).map((part) => part.trim());
