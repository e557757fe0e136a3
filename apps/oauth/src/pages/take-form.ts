import type { FormPurpose } from './form-seal.js';
import { type FormError, toFormError } from './page-faults.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageRequest } from './page-request.js';
import type { PageRequests } from './page-requests.js';
import { idIn } from './resource-pages.js';
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
    await failed(toFormError(error));
  }
}

/** The purpose of a form about one object. */
export const toFormPurpose = (form: string, id: string): FormPurpose => ({ form, bound: [['id', id]] });

export interface ObjectFormHandling {
  pages: PageRequests;
  request: FastifyRequest;
  reply: FastifyReply;
  here: string;
  form: string;
  show: (page: PageRequest, error: FormError) => Promise<void>;
}

/** Performs the work of a form of one button about one object of a list. */
export async function takeObjectForm(
  { pages, request, reply, here, form, show }: ObjectFormHandling,
  work: (page: PageRequest, id: string) => Promise<void>,
): Promise<void> {
  const page = await pages.open(request, reply);
  const id = idIn(page.body.get('id'));
  const failed = (error: FormError): Promise<void> => show(page, error);
  await takeForm(page, { here, purpose: toFormPurpose(form, id), failed }, () => work(page, id));
}
