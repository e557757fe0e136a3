/** A path of these pages to redirect to; undefined for any other address. */
export function ownPath(asked: string | undefined): string | undefined {
  if (asked === undefined || asked.length > 8000) return undefined;
  // Browsers read backslashes as slashes and skip line breaks and tabs; our paths have none of them.
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(asked) || asked.includes('\\')) return undefined;
  const here = 'https://here.invalid';
  if (!URL.canParse(asked, here)) return undefined;
  const { origin, pathname, search } = new URL(asked, here);
  if (origin !== here || !/^\/(id|oauth)\//.test(pathname) || pathname.includes('//')) return undefined;
  return pathname + search;
}

export const withReturn = (path: string, returnTo: string | undefined): string =>
  returnTo === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}return_to=${encodeURIComponent(returnTo)}`;
