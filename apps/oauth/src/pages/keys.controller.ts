import { createByokKey, listByokKeys, revokeByokKey } from '@lensforge/byok';
import { type ByokKey, byokProviders, endpoints, parse } from '@lensforge/contracts';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ago, day } from './dates.js';
import { choice, field, form, password } from './form.js';
import { html } from './html.js';
import { card } from './layout.js';
import type { FormError } from './page-faults.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { requireHandle } from './require-handle.js';
import { pickNotice, outcome, rows, toAccount } from './resource-pages.js';
import { toFormPurpose, takeForm, takeObjectForm } from './take-form.js';

const here = '/id/keys';
const maxShown = 200;
const adding = { form: 'add key' };
const notices = { added: 'The key is stored, encrypted.', revoked: 'The key is revoked and its secret deleted.' };

/** Keys of model providers that a person brings. */
@Controller()
export class KeysController {
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
      await createByokKey(page.ctx, {
        ...parse(endpoints.createByokKey.body, orderIn(page)),
        limit: this.pages.limits.byokKeys,
      });
      page.redirect(`${here}?notice=added`);
    });
  }

  @TakesForm(`${here}/revoke`)
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return takeObjectForm({ pages: this.pages, request, reply, here, form: 'revoke key', show }, async (page, id) => {
      await revokeByokKey(page.ctx, id);
      page.redirect(`${here}?notice=revoked`);
    });
  }
}

const given = (page: PageRequest, name: string): string | undefined => page.body.get(name)?.trim() || undefined;

/** The address and the models count for an own endpoint only. */
function orderIn(page: PageRequest): object {
  const [provider, label, secret] = ['provider', 'label', 'secret'].map((name) => given(page, name) ?? '');
  const [baseUrl, models] = [given(page, 'baseUrl'), given(page, 'models')];
  return {
    provider,
    label,
    secret,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(models !== undefined && { models: models.split(/[\s,]+/).map((key) => ({ key })) }),
  };
}

async function show(page: PageRequest, formError?: FormError): Promise<void> {
  const { items } = await listByokKeys(page.ctx, { limit: maxShown });
  const now = page.ctx.now();
  const facts = ({ provider, baseUrl, last4, createdAt, lastUsedAt }: ByokKey) =>
    html`${provider}${baseUrl !== null && ` at ${baseUrl}`} · <span class="mono">…${last4}</span> · added
      ${day(new Date(createdAt))} · ${lastUsedAt === null ? 'never used' : `used ${ago(new Date(lastUsedAt), now)}`}`;
  page.show(
    formError?.status ?? 200,
    {
      title: 'Provider keys',
      wide: true,
      body: html`${outcome({ said: pickNotice(page, notices), formError })}
      ${card(
        html`<h1>Provider keys</h1>
          <p class="lead">
            With a key of your own a run costs no credits: you pay the provider. Only run-workers can decrypt it.
          </p>`,
        items.length === 0
          ? html`<p class="soft">None yet.</p>`
          : rows(
              items.map((key) => ({
                id: key.id,
                title: html`<bdi>${key.label}</bdi>`,
                facts: facts(key),
                actions: [
                  {
                    action: `${here}/revoke`,
                    label: 'Revoke',
                    token: page.sealed(toFormPurpose('revoke key', key.id)),
                  },
                ],
              })),
            ),
        html`<div class="bar">${toAccount}</div>`,
      )}
      ${card(
        html`<h2>Add a key</h2>`,
        form(
          { action: here, token: page.sealed(adding) },
          choice(
            { name: 'provider', label: 'Provider', value: page.body.get('provider') },
            byokProviders.map((value) => ({ value, label: value })),
          ),
          field({
            name: 'label',
            label: 'Name',
            autocomplete: 'off',
            maxlength: 100,
            value: page.body.get('label') ?? '',
          }),
          password({ name: 'secret', label: 'Key', autocomplete: 'off', maxlength: 500 }),
          field({
            name: 'baseUrl',
            label: 'Address',
            autocomplete: 'off',
            maxlength: 2048,
            optional: true,
            value: page.body.get('baseUrl') ?? '',
            hint: 'For openai-compatible: the https:// address of your own endpoint.',
          }),
          field({
            name: 'models',
            label: 'Models',
            autocomplete: 'off',
            optional: true,
            value: page.body.get('models') ?? '',
            hint: 'For openai-compatible: their names, with spaces between them. Runs that name none use the first.',
          }),
          html`<div class="actions"><button class="main">Add the key</button></div>`,
        ),
      )}`,
    },
    formError?.headers,
  );
}
