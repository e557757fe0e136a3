import type { SessionItem } from '@lensforge/contracts';
import type { SignedIn } from '@lensforge/identity';
import type { OwnToken } from './own-tokens.js';
import { ago, day } from './dates.js';
import { form, hidden } from './form.js';
import { type Html, html } from './html.js';
import { alarm, card, notice } from './layout.js';
import type { FormError } from './page-faults.js';

export interface AccountView {
  here: SignedIn;
  sessions: readonly SessionItem[];
  tokens: readonly OwnToken[];
  now: Date;
  said: string | undefined;
  formError: FormError | undefined;
  sealed: (form: string, id?: string) => string;
  signOutToken: string;
  consoleUrl: string | undefined;
}

export function accountPage(view: AccountView): { title: string; body: Html; wide: true } {
  const { formError, said } = view;
  return {
    title: 'Your account',
    wide: true,
    body: html`${formError ? alarm(formError.message) : said && notice(said)} ${person(view)} ${programs(view)}
    ${places(view)}`,
  };
}

function person({ here: { user, account }, signOutToken, consoleUrl }: AccountView): Html {
  return card(
    html`<h1>Your account</h1>
      <div class="person">
        <span class="face" aria-hidden="true">${[...(account?.handle ?? user.email ?? '?')][0]}</span>
        <div>
          <strong>${account ? account.displayName : 'No handle yet'}</strong>
          <span class="soft">${account && html`@${account.handle} · `}${user.email}</span>
        </div>
      </div>
      <div class="bar">
        ${!account && html`<a class="button main small-button" href="/id/handle">Choose your handle</a>`}
        <a class="button small-button" href="/id/password">Change password</a>
        <a class="button small-button" href="/id/security">Passkeys and second factor</a>
        <a class="button small-button" href="/id/device">Connect a device</a>
        ${
          account &&
          consoleUrl !== undefined &&
          html`<a class="button small-button" href="${consoleUrl}/account?tab=tokens">
            Tokens, communities and keys in the console
          </a>`
        }
        ${form({ action: '/id/sign-out', token: signOutToken }, html`<button class="small-button">Sign out</button>`)}
      </div>`,
  );
}

function programs({ tokens, now, sealed }: AccountView): Html {
  return card(
    html`<h2>Programs that act for you</h2>`,
    tokens.length === 0
      ? html`<p class="soft">None. A program that you connect appears here, and you can revoke it at any time.</p>`
      : html`<ul class="rows">
          ${tokens.map(
            (token) =>
              html`<li>
                <div>
                  <h3 id="t-${token.id}"><bdi>${token.label}</bdi></h3>
                  <p class="soft small hint">
                    ${[
                      kindNames[token.kind],
                      token.clientName !== token.label && token.clientName,
                      html`<span class="mono">${token.prefix}…</span>`,
                    ]
                      .filter(Boolean)
                      .map((part, index) => html`${index > 0 && ' · '}${part}`)}<br />Made ${day(token.createdAt)} ·
                    ${token.lastUsedAt ? `used ${ago(token.lastUsedAt, now)}` : 'never used'}${token.expiresAt && html` · until ${day(token.expiresAt)}`}
                  </p>
                </div>
                ${form(
                  { action: '/id/tokens/revoke', token: sealed('revoke token', token.id) },
                  hidden('id', token.id),
                  html`<button class="small-button" aria-describedby="t-${token.id}">Revoke</button>`,
                )}
              </li>`,
          )}
        </ul>`,
    tokens.length > 1 &&
      html`<div class="bar">
        ${form(
          { action: '/id/tokens/revoke-all', token: sealed('revoke all tokens') },
          html`<button class="small-button">Revoke all of them</button>`,
        )}
      </div>`,
  );
}

const kindNames = { mcp: 'Tools', developer: 'Developer token', service: 'Connector' } as const;

function places({ sessions, now, sealed }: AccountView): Html {
  return card(
    html`<h2>Where you are signed in</h2>
      <ul class="rows">
        ${sessions.map(
          (session) =>
            html`<li>
              <div>
                <h3 id="s-${session.id}">
                  <bdi>${describeSession(session)}</bdi>${session.current && html`<span class="tag">here</span>`}
                </h3>
                <p class="soft small hint">
                  ${session.address ?? 'address unknown'} · since ${day(new Date(session.createdAt))} · used
                  ${ago(new Date(session.lastUsedAt ?? session.createdAt), now)}
                </p>
              </div>
              ${
                !session.current &&
                form(
                  { action: '/id/sessions/end', token: sealed('end session', session.id) },
                  hidden('id', session.id),
                  html`<button class="small-button" aria-describedby="s-${session.id}">Sign out</button>`,
                )
              }
            </li>`,
        )}
      </ul>`,
    sessions.length > 1 &&
      html`<div class="bar">
        ${form(
          { action: '/id/sessions/end-others', token: sealed('end other sessions') },
          html`<button class="small-button">Sign out everywhere else</button>`,
        )}
      </div>`,
  );
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

function describeSession({ clientName, userAgent }: SessionItem): string {
  if (clientName) return clientName;
  const named = (list: typeof browsers) => list.find(([form]) => form.test(userAgent ?? ''))?.[1];
  const [browser, system] = [named(browsers), named(systems)];
  if (browser) return system ? `${browser} on ${system}` : browser;
  return userAgent?.slice(0, 60) ?? 'A browser';
}
