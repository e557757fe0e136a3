import { type DeviceGrantRequest, decideDeviceGrant, findDeviceGrant } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { field, form, hidden } from './form.js';
import { html } from './html.js';
import { alarm, card, warning } from './layout.js';
import { type FormError, toFormError } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import { describePermissions } from './scope-descriptions.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const toPurpose = (userCode: string) => ({ form: 'device', bound: [['user_code', userCode]] as const });

@Controller()
export class DeviceController {
  constructor(private readonly pages: PageRequests) {}

  @ShowsPage('/id/device')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const typed = page.query.get('user_code')?.trim();
    if (!requireHandle(page, toDevicePath(typed))) return;
    try {
      if (!typed) showCodeForm(page);
      else await showGrant(page, typed);
    } catch (error) {
      showCodeForm(page, toFormError(error));
    }
  }

  @TakesForm('/id/device')
  async take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const userCode = page.body.get('user_code')?.trim() ?? '';
    const decision = page.body.get('decision');
    if (!requireHandle(page, toDevicePath(userCode))) return;
    if (decision !== 'approve' && decision !== 'deny') {
      page.redirect(toDevicePath(userCode));
      return;
    }
    try {
      page.verifyForm(toPurpose(userCode));
    } catch (error) {
      return showGrant(page, userCode, toFormError(error));
    }
    try {
      const approve = decision === 'approve';
      const [userId, most] = [page.signedIn?.user.id ?? '', this.pages.maxTokens];
      await decideDeviceGrant(page.ctx, { userCode, userId, approve, maxTokens: most });
      showDone(page, approve);
    } catch (error) {
      showCodeForm(page, toFormError(error));
    }
  }
}

/** Redirects to sign-in, or to the choice of a handle, and returns false, if one of them is missing. */
function requireHandle(page: PageRequest, here: string): boolean {
  if (page.signedIn?.account) return true;
  page.redirect(withReturn(page.signedIn ? '/id/handle' : '/id/sign-in', here));
  return false;
}

const toDevicePath = (typed: string | undefined): string =>
  typed ? `/id/device?user_code=${encodeURIComponent(typed.slice(0, 40))}` : '/id/device';

function showCodeForm(page: PageRequest, formError?: FormError, fault?: string): void {
  const title = 'Connect a device';
  page.show(
    formError?.status ?? (fault ? 404 : 200),
    {
      title,
      body: card(
        html`<h1>${title}</h1>
          <p class="lead">Your device or terminal shows a code of eight letters.</p>`,
        formError && alarm(formError.message),
        html`<form method="get" action="/id/device">
          ${field({
            name: 'user_code',
            label: 'Code',
            autocomplete: 'off',
            value: page.query.get('user_code') ?? page.body.get('user_code') ?? '',
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
    formError?.headers,
  );
}

async function showGrant(page: PageRequest, typed: string, formError?: FormError): Promise<void> {
  const grant = await findDeviceGrant(page.ctx, typed);
  if (!grant) {
    showCodeForm(
      page,
      undefined,
      'No device is waiting with this code. It may have expired: get a new code on the device.',
    );
    return;
  }
  const title = 'Connect this device?';
  const { handle } = page.signedIn?.account ?? {};
  page.show(
    formError?.status ?? 200,
    {
      title,
      body: card(
        html`<h1>${title}</h1>
          <p class="lead">Compare the code with the one that your device shows.</p>`,
        formError && alarm(formError.message),
        html`<strong class="big-code">${grant.userCode}</strong>`,
        facts(grant, handle),
        warning(
          html`<strong>Did you start this yourself, just now?</strong>
            <p>If another person sent you the code or a link to this page, deny it.</p>`,
        ),
        form(
          { action: '/id/device', token: page.sealed(toPurpose(grant.userCode)) },
          hidden('user_code', grant.userCode),
          html`<div class="pair">
            <button name="decision" value="deny">Deny</button>
            <button class="main" name="decision" value="approve">Approve</button>
          </div>`,
        ),
      ),
    },
    formError?.headers,
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
      <dd>${describePermissions(scopes).map((line) => html`<span class="line">${line}</span>`)}</dd>
    </div>
  </dl>`;

function showDone(page: PageRequest, approved: boolean): void {
  const title = approved ? 'Your device is connected' : 'You denied the device';
  page.show(200, {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p>
          ${
            approved
              ? 'Go back to it: it continues by itself. Your account page lists its token, and you can revoke it there.'
              : 'It got no access. You can close this page.'
          }
        </p>
        <a class="button" href="/id/">Your account</a>`,
    ),
  });
}
