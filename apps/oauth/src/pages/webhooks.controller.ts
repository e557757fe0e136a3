import { type WebhookEndpointReply, endpoints, parse, platformEventTypes } from '@lensforge/contracts';
import {
  createEndpoint,
  disableOwnEndpoint,
  enableEndpoint,
  listEndpoints,
  readableEndpoint,
  removeEndpoint,
  rotateSecret,
  testEndpoint,
} from '@lensforge/webhooks';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checks, field, form } from './form.js';
import { type Html, html } from './html.js';
import { card } from './layout.js';
import type { FormError } from './page-faults.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { requireHandle } from './require-handle.js';
import { type Row, pickNotice, outcome, rows, secretPage, toAccount } from './resource-pages.js';
import { toFormPurpose, takeForm, takeObjectForm } from './take-form.js';

const here = '/id/webhooks';
const maxShown = 200;
const adding = { form: 'add endpoint' };
/** For which the old secret also signs, in seconds. */
const overlapSeconds = 86_400;
const notices = {
  tested: 'A test event is on its way. The delivery log of the REST API has the answer of your server.',
  enabled: 'The endpoint is enabled.',
  disabled: 'The endpoint is disabled.',
  removed: 'The endpoint is deleted.',
};

/** Endpoints to which events of a person's account are delivered. */
@Controller()
export class WebhooksController {
  constructor(private readonly pages: PageRequests) {}

  @ShowsPage(here)
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (requireHandle(page, here)) await show(page);
  }

  @TakesForm(here)
  async add(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const failed = (error: FormError): Promise<void> => show(page, error);
    await takeForm(page, { here, purpose: adding, failed }, async () => {
      const events = platformEventTypes.filter((type) => page.body.get(type) === 'on');
      const url = page.body.get('url')?.trim() ?? '';
      const order = parse(endpoints.createWebhookEndpoint.body, { url, events });
      const limit = this.pages.limits.webhookEndpoints;
      const { secret } = await createEndpoint(page.ctx, { ...order, limit }, this.pages.ring);
      page.show(200, secretPage({ title: 'Endpoint created', of: url, value: secret, use: signed, back: here }));
    });
  }

  @TakesForm(`${here}/rotate`)
  rotate(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, 'rotate secret', async (page, endpointId) => {
      const { url, secret } = await rotateSecret(page.ctx, { endpointId, overlapSeconds }, this.pages.ring);
      page.show(200, secretPage({ title: 'Secret replaced', of: url, value: secret, use: signed, back: here }));
    });
  }

  @TakesForm(`${here}/test`)
  test(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, 'test endpoint', async (page, endpointId) => {
      await testEndpoint(page.ctx, { endpointId });
      page.redirect(`${here}?notice=tested`);
    });
  }

  @TakesForm(`${here}/switch`)
  switch(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, 'switch endpoint', async (page, endpointId) => {
      const { enabled } = await readableEndpoint(page.ctx, endpointId);
      await (enabled ? disableOwnEndpoint(page.ctx, { endpointId }) : enableEndpoint(page.ctx, { endpointId }));
      page.redirect(`${here}?notice=${enabled ? 'disabled' : 'enabled'}`);
    });
  }

  @TakesForm(`${here}/remove`)
  remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, 'remove endpoint', async (page, endpointId) => {
      await removeEndpoint(page.ctx, { endpointId });
      page.redirect(`${here}?notice=removed`);
    });
  }

  private act(
    request: FastifyRequest,
    reply: FastifyReply,
    form: string,
    work: (page: PageRequest, id: string) => Promise<void>,
  ): Promise<void> {
    return takeObjectForm({ pages: this.pages, request, reply, here, form, show }, work);
  }
}

const signed = html`Your server verifies the header <span class="mono">X-Service-Signature</span> of each delivery with
  it.`;

const explanations: Readonly<Record<string, string>> = {
  'run.completed': 'a run has succeeded',
  'run.failed': 'a run has failed',
  'battle.completed': 'a battle is published',
  'lens.published': 'a lens has a new version',
  'member.joined': 'a person has joined a community',
};

const reasons: Readonly<Record<string, string>> = {
  gone: 'disabled: it answered 410',
  failing: 'disabled: all deliveries failed for days',
  owner: 'disabled',
};

const facts = ({ description, events, enabled, disabledReason, failingSince }: WebhookEndpointReply): Html =>
  html`${description !== '' && html`<bdi>${description}</bdi><br />`}<span class="mono">${events.join(' ')}</span
    ><br />${
      enabled
        ? failingSince === null
          ? 'enabled'
          : 'enabled, the last deliveries failed'
        : reasons[disabledReason ?? 'owner']
    }`;

const buildActions = (page: PageRequest, { id, enabled }: WebhookEndpointReply): Row['actions'] =>
  (
    [
      ...(enabled ? [['test', 'Test', 'test endpoint'] as const] : []),
      ['rotate', 'Replace the secret', 'rotate secret'],
      ['switch', enabled ? 'Disable' : 'Enable', 'switch endpoint'],
      ['remove', 'Delete', 'remove endpoint'],
    ] as const
  ).map(([path, label, purpose]) => ({
    action: `${here}/${path}`,
    label,
    token: page.sealed(toFormPurpose(purpose, id)),
  }));

async function show(page: PageRequest, formError?: FormError): Promise<void> {
  const { items } = await listEndpoints(page.ctx, { limit: maxShown });
  page.show(
    formError?.status ?? 200,
    {
      title: 'Webhooks',
      wide: true,
      body: html`${outcome({ said: pickNotice(page, notices), formError })}
      ${card(
        html`<h1>Webhooks</h1>
          <p class="lead">The platform sends events of your account to these addresses, each signed.</p>`,
        items.length === 0
          ? html`<p class="soft">None yet.</p>`
          : rows(
              items.map((endpoint) => ({
                id: endpoint.id,
                title: html`<bdi>${endpoint.url}</bdi>`,
                facts: facts(endpoint),
                actions: buildActions(page, endpoint),
              })),
            ),
        html`<div class="bar">${toAccount}</div>`,
      )}
      ${card(
        html`<h2>New endpoint</h2>`,
        form(
          { action: here, token: page.sealed(adding) },
          field({
            name: 'url',
            label: 'Address',
            autocomplete: 'off',
            maxlength: 2048,
            value: page.body.get('url') ?? '',
            hint: 'An https:// address of your server.',
          }),
          checks(
            'Events',
            undefined,
            platformEventTypes.map((name) => ({
              name,
              label: name,
              hint: `Sent when ${explanations[name] ?? 'it happens'}.`,
              checked: page.body.get(name) === 'on' || (!page.posted && name === 'run.completed'),
            })),
          ),
          html`<div class="actions"><button class="main">Create the endpoint</button></div>`,
        ),
      )}`,
    },
    formError?.headers,
  );
}
