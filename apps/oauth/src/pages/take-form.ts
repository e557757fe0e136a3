import type { FormPurpose } from './form-seal.js';
import type { FormError } from './page-faults.js';
import { formErrorOf } from './page-faults.js';
import type { PageRequest } from './page-request.js';
import { requireHandle } from './require-handle.js';

export interface FormHandling {
  /** The page to return to after a sign-in. */
  here: string;
  purpose: FormPurpose;
  /** Shows the page of the form again. */
  failed: (error: FormError) => Promise<void>;
}

/** Performs the work of a form that this service created for the signed-in person. */
export async function takeForm(
  page: PageRequest,
  { here, purpose, failed }: FormHandling,
  work: () => Promise<void>,
): Promise<void> {
  if (!requireHandle(page, here)) return;
  try {
    page.verifyForm(purpose);
    await work();
  } catch (error) {
    await failed(formErrorOf(error));
  }
}

/** The purpose of a form about one object. */
export const purposeOf = (form: string, id: string): FormPurpose => ({ form, bound: [['id', id]] });
