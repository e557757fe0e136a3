import { chooseHandle } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { field, form } from './form.js';
import { html } from './html.js';
import { alarm, card } from './layout.js';
import type { Complaint } from './page-faults.js';
import { complaintOf, incomplete } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const place = { form: 'choose handle' };

@Controller()
export class HandleController {
  constructor(private readonly visits: PageRequests) {}

  @ShowsPage('/id/handle')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    if (!visit.signedIn) visit.goTo(withReturn('/id/sign-in', withReturn('/id/handle', visit.returnTo)));
    else if (visit.signedIn.account) visit.goTo(visit.returnTo ?? '/id/');
    else showForm(visit);
  }

  @TakesForm('/id/handle')
  async take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    if (!visit.signedIn) {
      visit.goTo(withReturn('/id/sign-in', withReturn('/id/handle', visit.returnTo)));
      return;
    }
    try {
      visit.mustBeOurs(place);
      const handle = visit.body.get('handle')?.trim().replace(/^@/, '').toLowerCase();
      const displayName = visit.body.get('displayName')?.trim();
      if (!handle) throw incomplete('Choose a handle');
      await chooseHandle(visit.ctx, { userId: visit.signedIn.user.id, handle, ...(displayName && { displayName }) });
      visit.goTo(visit.returnTo ?? '/id/');
    } catch (error) {
      showForm(visit, complaintOf(error));
    }
  }
}

function showForm(visit: PageRequest, complaint?: Complaint): void {
  // A handle that is taken is a conflict, and the only one that there is on this form.
  const at = complaint?.status === 409 ? 'handle' : complaint?.field;
  const wrong = (name: string) => (at === name ? complaint?.message : undefined);
  const title = 'Choose your handle';
  visit.page(
    complaint?.status ?? 200,
    {
      title,
      body: card(
        html`<h1>${title}</h1>
          <p class="lead">It is your name on Lensforge: on your lenses, in battles and in links.</p>`,
        complaint && !at && alarm(complaint.message),
        form(
          { action: '/id/handle', token: visit.sealed(place), returnTo: visit.returnTo },
          field({
            name: 'handle',
            label: 'Handle',
            prefix: '@',
            autocomplete: 'nickname',
            value: visit.body.get('handle') ?? '',
            minlength: 3,
            maxlength: 65,
            fault: wrong('handle'),
            hint: '3 to 64 small letters, digits, hyphens and underscores. It cannot be changed later.',
            autofocus: !complaint,
          }),
          field({
            name: 'displayName',
            label: 'Name to show',
            autocomplete: 'name',
            value: visit.body.get('displayName') ?? '',
            maxlength: 100,
            fault: wrong('displayName'),
            optional: true,
          }),
          html`<div class="actions"><button class="main">Continue</button></div>`,
        ),
      ),
    },
    complaint?.headers,
  );
}
