import type { Scope } from '@lensforge/contracts';
import { type OAuthClient, isLoopback } from '@lensforge/identity';
import type { AuthorizationServer, AuthorizeRequest } from './authorize-request.js';
import { checks, email, form, hidden, password } from './form.js';
import { type Html, html } from './html.js';
import { alarm, card, warning } from './layout.js';
import type { FormError } from './page-faults.js';
import { redirectTarget } from './redirect-target.js';
import { withReturn } from './return-to.js';
import { describeScope, describeToolPermissions } from './scope-descriptions.js';

export interface AuthorizeView {
  server: AuthorizationServer;
  request: AuthorizeRequest;
  token: string;
  /** The signed-in account that can continue without its password. */
  as?: { handle: string; displayName: string } | undefined;
  /** The signed-in user has no handle yet. */
  nameless?: boolean;
  /** The path of this request, to return to after a sign-in. */
  here: string;
  typedEmail?: string | undefined;
  formError?: FormError | undefined;
  /** The scopes that the person leaves out of those that the client asks for. */
  leftOut: readonly Scope[];
}

/** The name of the box that leaves a scope out. An absent box leaves the scope as the client asked for it. */
export const withoutField = (scope: Scope): string => `without-${scope}`;

export function authorizePage(view: AuthorizeView): { title: string; body: Html } {
  const { server, request, formError } = view;
  const { client, redirectUri } = request;
  const title = `Connect ${client.name}`;
  return {
    title,
    body: card(
      html`<h1>Connect <bdi>${client.name}</bdi> to Lensforge?</h1>`,
      formError && alarm(formError.message),
      view.nameless && nameless(view),
      facts(server, request),
      caution(client, redirectUri),
      consentForm(view),
      !view.as &&
        html`<div class="links">
          <p><a href="${withReturn('/id/sign-in', view.here)}">Sign in with a passkey</a></p>
          <p><a href="${withReturn('/id/password/forgot', view.here)}">Forgot your password?</a></p>
          <p><a href="${withReturn('/id/sign-up', view.here)}">Create an account</a></p>
        </div>`,
    ),
  };
}

const nameless = ({ here }: AuthorizeView): Html =>
  alarm(
    html`<strong>You need a handle first.</strong>
      <p>
        Programs act under your name on Lensforge, and you have not chosen it yet.
        <a href="${withReturn('/id/handle', here)}">Choose your handle</a>, and you come back here.
      </p>`,
  );

function facts({ kind }: AuthorizationServer, { redirectUri, scopes }: AuthorizeRequest): Html {
  const can = scopes
    ? describeToolPermissions(scopes)
    : kind === 'tools'
      ? ['use every Lensforge tool', 'read, change and delete what is yours', 'start runs, which can cost credits']
      : ['do everything that you can do yourself'];
  return html`<p class="lead">It could then act as you:</p>
    <ul class="can">
      ${can.map((each) => html`<li>${each}</li>`)}
    </ul>
    <dl class="facts">
      <div>
        <dt>How long</dt>
        <dd>${kind === 'tools' ? 'until you revoke it' : 'until you sign out, 90 days at most'}</dd>
      </div>
      <div>
        <dt>Leads to</dt>
        <dd><bdi class="mono">${redirectTarget(redirectUri)}</bdi></dd>
      </div>
    </dl>`;
}

function caution(client: OAuthClient, redirectUri: string): Html | undefined {
  const unknown =
    client.kind === 'tool' && html`<p>It chose its name itself, and Lensforge has not checked who made it.</p>`;
  if (isLoopback(redirectUri)) {
    return warning(
      html`<strong>This is a program on your computer.</strong>
        <p>Continue only if you started it yourself just now.</p>`,
      unknown,
    );
  }
  if (!/^https:/i.test(redirectUri)) {
    return warning(
      html`<strong>This is an app on your device.</strong>
        <p>Continue only if you started it yourself just now: another app could pretend to be it.</p>`,
      unknown,
    );
  }
  return unknown ? warning(html`<strong>Make sure that you trust it.</strong>`, unknown) : undefined;
}

function scopeBoxes({ request: { scopes = [] }, leftOut }: AuthorizeView): Html | undefined {
  if (scopes.length === 0) return undefined;
  const boxes = scopes.map((scope) => ({
    name: withoutField(scope),
    label: scope,
    hint: describeScope(scope),
    checked: leftOut.includes(scope),
  }));
  return html`<details ${leftOut.length > 0 && html` open`}>
    <summary>Leave some of it out</summary>
    <p class="hint">Writing includes reading: without a read scope, the write scope of its name is left out, too.</p>
    ${checks('Leave out', boxes)}
  </details>`;
}

function consentForm(view: AuthorizeView): Html {
  const { server, request, token, as } = view;
  const { plain, awkward } = carried(request);
  const deny = html`<button name="decision" value="deny" formnovalidate>Deny</button>`;
  const fields = plain.map(([name, value]) => hidden(name, value));
  if (as) {
    return form(
      { action: server.path + awkward, token },
      fields,
      scopeBoxes(view),
      html`<div class="person">
          <span class="face" aria-hidden="true">${[...as.handle][0]}</span>
          <div><strong>${as.displayName}</strong><span class="soft">@${as.handle}</span></div>
        </div>
        <div class="actions">
          <button class="main" name="decision" value="allow">Continue as @${as.handle}</button>
          ${deny}
          <button class="plain" name="decision" value="switch">Use another account</button>
        </div>`,
    );
  }
  const typed = view.typedEmail ?? request.loginHint;
  return form(
    { action: server.path + awkward, token },
    fields,
    scopeBoxes(view),
    email({ value: typed }),
    password(),
    html`<div class="actions">
      <button class="main" name="decision" value="allow">Sign in and connect</button>
      ${deny}
    </div>`,
  );
}

// Forms change line breaks and drop some characters: such values are sent in the query instead.
const changeable = /[\u0000-\u001f\u007f]|^_charset_$/;

function carried({ parameters }: AuthorizeRequest): { plain: [string, string][]; awkward: string } {
  const all = parameters.entries();
  const isAwkward = (pair: [string, string]): boolean => pair.some((text) => changeable.test(text));
  const awkward = all.filter(isAwkward).map((pair) => pair.map(encodeURIComponent).join('='));
  return { plain: all.filter((pair) => !isAwkward(pair)), awkward: awkward.length > 0 ? `?${awkward.join('&')}` : '' };
}
