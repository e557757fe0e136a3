import type { Connector } from '@lensforge/contracts';
import { listConnectors, removeConnector, rotateConnector, tokenAccounts } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ago, day } from './dates.js';
import { html } from './html.js';
import { card } from './layout.js';
import type { FormError } from './page-faults.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { requireHandle } from './require-handle.js';
import { pickNotice, outcome, rows, secretPage, toAccount } from './resource-pages.js';
import { toFormPurpose, takeObjectForm } from './take-form.js';
import { tokensPath } from './tokens-page.js';

const here = '/id/connectors';
const maxShown = 200;
const notices = { removed: 'The connector is removed, and its token revoked.' };

/** Connectors of a person and of the communities that the person administers. */
@Controller()
export class ConnectorsController {
  constructor(private readonly pages: PageRequests) {}

  @ShowsPage(here)
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (requireHandle(page, here)) await show(page);
  }

  @TakesForm(`${here}/rotate`)
  rotate(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, 'rotate connector', async (page, connectorId) => {
      const { name, value } = await rotateConnector(page.ctx, { connectorId });
      const use = html`The token before it is revoked. A program sends this one as
        <span class="mono">Authorization: Bearer …</span>.`;
      page.show(200, secretPage({ title: 'Token replaced', of: name, value, use, back: here }));
    });
  }

  @TakesForm(`${here}/remove`)
  remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, 'remove connector', async (page, connectorId) => {
      await removeConnector(page.ctx, { connectorId });
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

async function show(page: PageRequest, formError?: FormError): Promise<void> {
  const { items } = await listConnectors(page.ctx, { limit: maxShown });
  const names = new Map((await tokenAccounts(page.ctx)).map(({ id, handle }) => [id, `@${handle}`]));
  const now = page.ctx.now();
  const facts = ({ accountId, scopes, token }: Connector) =>
    html`acts for ${names.get(accountId) ?? 'an account'} · <span class="mono">${scopes.join(' ')}</span><br />${
        token === null
          ? 'no token: replace it to get one'
          : html`<span class="mono">${token.prefix}…</span> until ${day(new Date(token.expiresAt))} ·
              ${token.lastUsedAt === null ? 'never used' : `used ${ago(new Date(token.lastUsedAt), now)}`}`
      }`;
  page.show(
    formError?.status ?? 200,
    {
      title: 'Connectors',
      wide: true,
      body: html`${outcome({ said: pickNotice(page, notices), formError })}
      ${card(
        html`<h1>Connectors</h1>
          <p class="lead">A connector is a machine or program with a service token of its own.</p>`,
        items.length === 0
          ? html`<p class="soft">None yet. A new service token creates one.</p>`
          : rows(
              items.map((connector) => ({
                id: connector.id,
                title: html`<bdi>${connector.name}</bdi>`,
                facts: facts(connector),
                actions: [
                  {
                    action: `${here}/rotate`,
                    label: 'Replace the token',
                    token: page.sealed(toFormPurpose('rotate connector', connector.id)),
                  },
                  {
                    action: `${here}/remove`,
                    label: 'Remove',
                    token: page.sealed(toFormPurpose('remove connector', connector.id)),
                  },
                ],
              })),
            ),
        html`<div class="bar">
          <a class="button small-button" href="${tokensPath}/new?kind=service">New connector</a>${toAccount}
        </div>`,
      )}`,
    },
    formError?.headers,
  );
}
