import { scopes } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { HttpFault } from '@lensforge/edge';
import {
  createConnector,
  createDeveloperToken,
  createOrganisationToken,
  listTokens,
  tokenAccounts,
} from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FormPurpose } from './form-seal.js';
import type { Option } from './form.js';
import { type FormError, toFormError } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';
import { requireHandle } from './require-handle.js';
import { type NewTokenKind, isNewTokenKind } from './token-forms.js';
import { createdTokenPage, newTokenPage, tokensPage, tokensPath } from './tokens-page.js';

const maxShown = 200;
const toPurpose = (kind: NewTokenKind): FormPurpose => ({ form: 'create token', bound: [['kind', kind]] });

@Controller()
export class TokensController {
  constructor(private readonly pages: PageRequests) {}

  @ShowsPage(tokensPath)
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (!requireHandle(page, tokensPath)) return;
    const { items } = await listTokens(page.ctx, { limit: maxShown });
    const now = page.ctx.now();
    const isValid = ({ revokedAt, expiresAt }: (typeof items)[number]): boolean =>
      revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
    page.show(
      200,
      tokensPage({
        tokens: items.filter(isValid),
        names: new Map((await tokenAccounts(page.ctx)).map(({ id, handle }) => [id, `@${handle}`])),
        now,
        said: page.query.get('notice') === 'revoked' ? 'The token is revoked. Nothing accepts it any more.' : undefined,
        sealed: (id) => page.sealed({ form: 'revoke token', bound: [['id', id]] }),
      }),
    );
  }

  @ShowsPage(`${tokensPath}/new`)
  async form(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const kind = requireKind(page.query.get('kind'));
    if (requireHandle(page, `${tokensPath}/new?kind=${kind}`)) await showForm(page, kind);
  }

  @TakesForm(`${tokensPath}/new`)
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const kind = requireKind(page.body.get('kind'));
    if (!requireHandle(page, `${tokensPath}/new?kind=${kind}`)) return;
    try {
      page.verifyForm(toPurpose(kind));
      const value = await this.issue(page, kind);
      page.show(200, createdTokenPage({ label: page.body.get('label')?.trim() ?? '', value }));
    } catch (error) {
      await showForm(page, kind, toFormError(error));
    }
  }

  private async issue({ ctx, body }: PageRequest, kind: NewTokenKind): Promise<string> {
    const days = Number(body.get('ttl'));
    const label = body.get('label')?.trim() ?? '';
    if (label === '' || label.length > 100) throw badInput('label', 'must have 1 to 100 characters');
    const chosen = scopes.filter((scope) => body.get(scope) === 'on');
    if (chosen.length === 0) throw badInput('scopes', 'choose at least one');
    const accountId = body.get('account') ?? '';
    const order = { label, scopes: chosen, days };
    if (kind === 'developer') {
      return (await createDeveloperToken(ctx, { ...order, limit: this.pages.limits.tokens })).value;
    }
    if (!(await accountsFor(ctx, kind)).some(({ value }) => value === accountId)) {
      throw badInput('account', 'you do not administer this account');
    }
    if (kind === 'organisation') {
      const limit = this.pages.limits.tokens;
      return (await createOrganisationToken(ctx, { ...order, communityId: accountId, limit })).value;
    }
    const own = accountId === ctx.actor.accountId;
    const community = own ? {} : { communityId: accountId };
    return (await createConnector(ctx, { name: label, scopes: chosen, days, ...community })).value;
  }
}

function requireKind(text: string | undefined): NewTokenKind {
  if (text !== undefined && isNewTokenKind(text)) return text;
  throw new HttpFault(404, 'not_found', 'There is no such kind of token');
}

/** The accounts that a new token can act for. */
async function accountsFor(ctx: Context, kind: NewTokenKind): Promise<Option[]> {
  const accounts = await tokenAccounts(ctx);
  const isPossible = (accountKind: string): boolean =>
    kind === 'service' || (accountKind === 'person') === (kind === 'developer');
  return accounts
    .filter((account) => isPossible(account.kind))
    .map(({ id, handle }) => ({ value: id, label: `@${handle}` }));
}

async function showForm(page: PageRequest, kind: NewTokenKind, formError?: FormError): Promise<void> {
  const { body } = page;
  page.show(
    formError?.status ?? 200,
    newTokenPage({
      kind,
      accounts: await accountsFor(page.ctx, kind),
      csrf: page.sealed(toPurpose(kind)),
      given: {
        label: body.get('label'),
        days: body.get('ttl'),
        account: body.get('account'),
        scopes: scopes.filter((scope) => body.get(scope) === 'on'),
      },
      formError,
    }),
    formError?.headers,
  );
}
