import type { DeviceGrantRequest } from '@lensforge/identity';
import { decideDeviceGrant, findDeviceGrant } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { field, form, hidden } from './form.js';
import { html } from './html.js';
import { alarm, card, warning } from './layout.js';
import type { Complaint } from './page-faults.js';
import { complaintOf } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import { allowedBy } from './scope-words.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const place = (userCode: string) => ({ form: 'device', bound: [['user_code', userCode]] as const });

@Controller()
export class DeviceController {
  constructor(private readonly visits: PageRequests) {}

  @ShowsPage('/id/device')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    const typed = visit.query.get('user_code')?.trim();
    if (!hasName(visit, pathOf(typed))) return;
    try {
      if (!typed) showCodeForm(visit);
      else await showGrant(visit, typed);
    } catch (error) {
      showCodeForm(visit, complaintOf(error));
    }
  }

  @TakesForm('/id/device')
  async take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    const userCode = visit.body.get('user_code')?.trim() ?? '';
    const decision = visit.body.get('decision');
    if (!hasName(visit, pathOf(userCode))) return;
    if (decision !== 'approve' && decision !== 'deny') {
      visit.goTo(pathOf(userCode));
      return;
    }
    try {
      visit.mustBeOurs(place(userCode));
    } catch (error) {
      return showGrant(visit, userCode, complaintOf(error));
    }
    try {
      const approve = decision === 'approve';
      const [userId, most] = [visit.signedIn?.user.id ?? '', this.visits.mostTokens];
      await decideDeviceGrant(visit.ctx, { userCode, userId, approve, maxTokens: most });
      showDone(visit, approve);
    } catch (error) {
      showCodeForm(visit, complaintOf(error));
    }
  }
}

/** Sends a visitor who is not signed in, or has no handle yet, there first. */
function hasName(visit: PageRequest, here: string): boolean {
  if (visit.signedIn?.account) return true;
  visit.goTo(withReturn(visit.signedIn ? '/id/handle' : '/id/sign-in', here));
  return false;
}

const pathOf = (typed: string | undefined): string =>
  typed ? `/id/device?user_code=${encodeURIComponent(typed.slice(0, 40))}` : '/id/device';

function showCodeForm(visit: PageRequest, complaint?: Complaint, fault?: string): void {
  const title = 'Connect a device';
  visit.page(
    complaint?.status ?? (fault ? 404 : 200),
    {
      title,
      body: card(
        html`<h1>${title}</h1>
          <p class="lead">Your device or terminal shows a code of eight letters.</p>`,
        complaint && alarm(complaint.message),
        html`<form method="get" action="/id/device">
          ${field({
            name: 'user_code',
            label: 'Code',
            autocomplete: 'off',
            value: visit.query.get('user_code') ?? visit.body.get('user_code') ?? '',
            maxlength: 20,
            code: true,
            fault,
            hint: 'With or without the dash.',
            autofocus: true,
          })}
          <div class="actions"><button class="main">Continue</button></div>
        </form>`,
      ),
    },
    complaint?.headers,
  );
}

async function showGrant(visit: PageRequest, typed: string, complaint?: Complaint): Promise<void> {
  const grant = await findDeviceGrant(visit.ctx, typed);
  if (!grant) {
    showCodeForm(
      visit,
      undefined,
      'No device is waiting with this code. It may have expired: get a new code on the device.',
    );
    return;
  }
  const title = 'Connect this device?';
  const { handle } = visit.signedIn?.account ?? {};
  visit.page(
    complaint?.status ?? 200,
    {
      title,
      body: card(
        html`<h1>${title}</h1>
          <p class="lead">Compare the code with the one that your device shows.</p>`,
        complaint && alarm(complaint.message),
        html`<strong class="big-code">${grant.userCode}</strong>`,
        facts(grant, handle),
        warning(
          html`<strong>Did you start this yourself, just now?</strong>
            <p>If somebody sent you the code or a link to this page, deny it.</p>`,
        ),
        form(
          { action: '/id/device', token: visit.sealed(place(grant.userCode)) },
          hidden('user_code', grant.userCode),
          html`<div class="pair">
            <button name="decision" value="deny">Deny</button>
            <button class="main" name="decision" value="approve">Approve</button>
          </div>`,
        ),
      ),
    },
    complaint?.headers,
  );
}

const facts = ({ clientName, label, days, scopes }: DeviceGrantRequest, handle: string | undefined) =>
  html`<dl class="facts">
    <div>
      <dt>Program</dt>
      <dd><bdi>${clientName}</bdi></dd>
    </div>
    <div>
      <dt>Label</dt>
      <dd><bdi>${label}</bdi></dd>
    </div>
    <div>
      <dt>Acts as</dt>
      <dd>@${handle}</dd>
    </div>
    <div>
      <dt>For</dt>
      <dd>${days === 1 ? '1 day' : `${days} days`}, or until you revoke it</dd>
    </div>
    <div>
      <dt>It may</dt>
      <dd>${allowedBy(scopes).map((line) => html`<span class="line">${line}</span>`)}</dd>
    </div>
  </dl>`;

function showDone(visit: PageRequest, approved: boolean): void {
  const title = approved ? 'Your device is connected' : 'You denied the device';
  visit.page(200, {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p>
          ${
            approved
              ? 'Go back to it: it continues by itself. Your account page lists its token, and you can revoke it there.'
              : 'It was given nothing. You can close this page.'
          }
        </p>
        <a class="button" href="/id/">Your account</a>`,
    ),
  });
}
