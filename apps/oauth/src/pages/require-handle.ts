import type { PageRequest } from './page-request.js';
import { withReturn } from './return-to.js';

/** Redirects to sign-in, or to the choice of a handle, and returns false, if one of them is missing. */
export function requireHandle(page: PageRequest, here: string): boolean {
  if (page.signedIn?.account) return true;
  page.redirect(withReturn(page.signedIn ? '/id/handle' : '/id/sign-in', here));
  return false;
}
