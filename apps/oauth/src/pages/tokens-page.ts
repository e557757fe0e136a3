import type { Scope, TokenSummary } from '@lensforge/contracts';
import { ago, day } from './dates.js';
import { type Option, checks, choice, field, form, hidden } from './form.js';
import { html } from './html.js';
import { type PageText, alarm, card, notice, warning } from './layout.js';
import type { FormError } from './page-faults.js';
import { describeScope } from './scope-descriptions.js';
import { type NewTokenKind, type TokenForm, tokenForms } from './token-forms.js';

export const tokensPath = '/id/tokens';

const kindNames: Readonly<Record<TokenSummary['kind'], string>> = {
  mcp: 'MCP token',
  developer: 'Developer token',
  organisation: 'Organisation token',
  service: 'Service token',
};

export interface TokensView {
  tokens: readonly TokenSummary[];
  /** The names of accounts by id. */
  names: ReadonlyMap<string, string>;
  now: Date;
  said: string | undefined;
  sealed: (tokenId: string) => string;
}

/** The list of tokens, and the ways to create one. */
export const tokensPage = ({ tokens, names, now, said, sealed }: TokensView): PageText => ({
  title: 'Tokens',
  wide: true,
  body: html`${said && notice(said)}
  ${card(
    html`<h1>Tokens</h1>
      <p class="lead">A program shows a token with each request. Whoever has it can do what its scopes allow.</p>`,
    html`<div class="bar">
      ${Object.entries(tokenForms).map(
        ([kind, { name }]) =>
          html`<a class="button small-button" href="${tokensPath}/new?kind=${kind}">New ${name}</a>`,
      )}
      <a class="button small-button" href="/id/">Your account</a>
    </div>`,
  )}
  ${card(
    html`<h2>Valid tokens</h2>`,
    tokens.length === 0
      ? html`<p class="soft">None yet.</p>`
      : html`<ul class="rows">
          ${tokens.map(
            (token) =>
              html`<li>
                <div>
                  <h3 id="t-${token.id}"><bdi>${token.label}</bdi></h3>
                  <p class="soft small hint">
                    ${kindNames[token.kind]} of ${names.get(token.accountId) ?? 'an account'} ·
                    <span class="mono">${token.prefix}…</span><br />
                    <span class="mono">${token.scopes.join(' ')}</span><br />
                    Made ${day(new Date(token.createdAt))} ·
                    ${token.lastUsedAt ? `used ${ago(new Date(token.lastUsedAt), now)}` : 'never used'}${
                      token.expiresAt && html` · until ${day(new Date(token.expiresAt))}`
                    }
                  </p>
                </div>
                ${form(
                  { action: '/id/tokens/revoke', token: sealed(token.id), returnTo: tokensPath },
                  hidden('id', token.id),
                  html`<button class="small-button" aria-describedby="t-${token.id}">Revoke</button>`,
                )}
              </li>`,
          )}
        </ul>`,
  )}`,
});

export interface NewTokenView {
  kind: NewTokenKind;
  accounts: readonly Option[];
  csrf: string;
  /** The values of a form that was refused. */
  given: {
    label?: string | undefined;
    days?: string | undefined;
    account?: string | undefined;
    scopes: readonly Scope[];
  };
  formError: FormError | undefined;
}

const spends: readonly Scope[] = ['lenses:read', 'workflows:write', 'community:write'];

/** The form for a token of one kind. */
export function newTokenPage({ kind, accounts, csrf, given, formError }: NewTokenView): PageText {
  const { name, explanation, days, defaultDays, scopes }: TokenForm = tokenForms[kind];
  const chosen = given.scopes.length > 0 ? given.scopes : ['lenses:read'];
  const findMemberFault = (member: string): string | undefined =>
    formError?.field === member ? formError.message : undefined;
  const general = formError && !['label', 'scopes', 'ttl'].includes(formError.field ?? '');
  return {
    title: `New ${name}`,
    wide: true,
    body: card(
      html`<h1>New ${name}</h1>
        ${general && alarm(formError.message)}
        <p class="lead">${explanation}</p>`,
      accounts.length === 0
        ? html`<p>You administer no community. Create one first, or choose another kind of token.</p>
            <div class="bar"><a class="button small-button" href="${tokensPath}">Back</a></div>`
        : form(
            { action: `${tokensPath}/new`, token: csrf },
            hidden('kind', kind),
            field({
              name: 'label',
              label: 'Name',
              autocomplete: 'off',
              maxlength: 100,
              value: given.label ?? '',
              hint: 'To recognise the token in lists.',
              fault: findMemberFault('label'),
            }),
            accounts.length > 1 && choice({ name: 'account', label: 'Acts for', value: given.account }, accounts),
            accounts.length === 1 && hidden('account', accounts[0]?.value),
            field({
              name: 'ttl',
              label: 'Days until it expires',
              type: 'number',
              autocomplete: 'off',
              min: days.min,
              max: days.max,
              value: given.days ?? String(defaultDays),
              hint: `${days.min} to ${days.max} days.`,
              fault: findMemberFault('ttl'),
            }),
            checks(
              'Scopes',
              findMemberFault('scopes'),
              scopes.map((scope) => ({
                name: scope,
                label: scope,
                hint: `${describeScope(scope)}.`,
                checked: chosen.includes(scope),
              })),
            ),
            warning(
              html`<strong>Some scopes spend credits.</strong>
                <p>
                  ${spends.filter((scope) => scopes.includes(scope)).join(', ')} start runs, which cost credits of the
                  account. lenses:read executes lenses, not only reads them.
                </p>`,
            ),
            html`<div class="actions">
              <button class="main">Create the token</button>
              <a class="button plain" href="${tokensPath}">Cancel</a>
            </div>`,
          ),
    ),
  };
}

/** The value of a new token, on the only page that ever shows it. */
export const createdTokenPage = ({ label, value }: { label: string; value: string }): PageText => ({
  title: 'Token created',
  wide: true,
  body: card(
    html`<h1>Token created</h1>
      <p class="lead">
        Copy the value of <strong><bdi>${label}</bdi></strong> now. It is not stored and never shown again.
      </p>
      <code class="secret mono">${value}</code>
      <p>
        A client sends it as <span class="mono">Authorization: Bearer …</span>; the SDK and the command line read
        <span class="mono">LENSFORGE_API_KEY</span>.
      </p>
      <a class="button" href="${tokensPath}">All tokens</a>`,
  ),
});
