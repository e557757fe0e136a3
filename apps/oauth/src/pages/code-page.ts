import { field, form, hidden } from './form.js';
import { type Html, html } from './html.js';
import { alarm, card } from './layout.js';
import type { FormPurpose } from './form-seal.js';
import type { FormError } from './page-faults.js';
import type { PageRequest } from './page-request.js';
import { withReturn } from './return-to.js';

export const codePath = '/id/sign-in/code';

/** The CSRF token of this form proves that this browser has just given the password of the user. */
export const withCode = (userId: string): FormPurpose => ({ form: 'sign-in with a code', bound: [['user', userId]] });

/** The field for a code of the authenticator app or a recovery code. */
export const codeField = (formError: FormError | undefined, hint: string): Html =>
  field({
    name: 'code',
    label: 'Code',
    autocomplete: 'one-time-code',
    maxlength: 40,
    autofocus: true,
    hint,
    fault: formError?.field === 'code' ? formError.message : undefined,
  });

/** Asks for the second factor of a user whose password was right. */
export function showCodeForm(
  page: PageRequest,
  { userId, returnTo }: { userId: string; returnTo: string | undefined },
  formError?: FormError,
): void {
  const title = 'Enter your code';
  page.show(
    formError?.status ?? 200,
    {
      title,
      body: card(
        html`<h1>${title}</h1>
          <p class="lead">Your password is right. Your account asks for a second factor, too.</p>`,
        formError && !formError.field && alarm(formError.message),
        form(
          { action: codePath, token: page.sealed(withCode(userId)), returnTo },
          hidden('user', userId),
          codeField(formError, 'The six digits of your authenticator app, or one of your recovery codes.'),
          html`<div class="actions"><button class="main">Sign in</button></div>`,
        ),
        html`<div class="links">
          <p><a href="${withReturn('/id/sign-in', returnTo)}">Sign in in another way</a></p>
        </div>`,
      ),
    },
    formError?.headers,
  );
}
