import { chooseHandle } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { field, form } from './form.js';
import { html } from './html.js';
import { alarm, card } from './layout.js';
import { type FormError, toFormError, incomplete } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const place = { form: 'choose handle' };

@Controller()
export class HandleController {
  constructor(private readonly pages: PageRequests) {}

  @ShowsPage('/id/handle')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (!page.signedIn) page.redirect(withReturn('/id/sign-in', withReturn('/id/handle', page.returnTo)));
    else if (page.signedIn.account) page.redirect(page.returnTo ?? '/id/');
    else showForm(page);
  }

  @TakesForm('/id/handle')
  async take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (!page.signedIn) {
      page.redirect(withReturn('/id/sign-in', withReturn('/id/handle', page.returnTo)));
      return;
    }
    try {
      page.verifyForm(place);
      const handle = page.body.get('handle')?.trim().replace(/^@/, '').toLowerCase();
      const displayName = page.body.get('displayName')?.trim();
      if (!handle) throw incomplete('Choose a handle');
      await chooseHandle(page.ctx, { userId: page.signedIn.user.id, handle, ...(displayName && { displayName }) });
      page.redirect(page.returnTo ?? '/id/');
    } catch (error) {
      showForm(page, toFormError(error));
    }
  }
}

function showForm(page: PageRequest, formError?: FormError): void {
  // A conflict on this form is always a taken handle.
  const at = formError?.status === 409 ? 'handle' : formError?.field;
  const wrong = (name: string) => (at === name ? formError?.message : undefined);
  const title = 'Choose your handle';
  page.show(
    formError?.status ?? 200,
    {
      title,
      body: card(
        html`<h1>${title}</h1>
          <p class="lead">It is your name on Lensforge: on your lenses, in battles and in links.</p>`,
        formError && !at && alarm(formError.message),
        form(
          { action: '/id/handle', token: page.sealed(place), returnTo: page.returnTo },
          field({
            name: 'handle',
            label: 'Handle',
            prefix: '@',
            autocomplete: 'nickname',
            value: page.body.get('handle') ?? '',
            minlength: 3,
            maxlength: 65,
            fault: wrong('handle'),
            hint: '3 to 64 small letters, digits, hyphens and underscores. It cannot be changed later.',
            autofocus: !formError,
          }),
          field({
            name: 'displayName',
            label: 'Name to show',
            autocomplete: 'name',
            value: page.body.get('displayName') ?? '',
            maxlength: 100,
            fault: wrong('displayName'),
            optional: true,
          }),
          html`<div class="actions"><button class="main">Continue</button></div>`,
        ),
      ),
    },
    formError?.headers,
  );
}
