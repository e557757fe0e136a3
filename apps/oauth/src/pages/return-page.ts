import { type OAuthClient, displayUri } from '@lensforge/identity';
import type { UnknownClient } from './authorize-request.js';
import { type Html, html } from './html.js';
import { card, warning } from './layout.js';
import { redirectTarget } from './redirect-target.js';

interface Page {
  title: string;
  body: Html;
}

export interface Return {
  client: OAuthClient;
  redirectUri: string;
  /** The redirect URI with the response. */
  url: string;
  code: string;
  message: string;
}

/** Shows a link back to a program that registered itself, instead of redirecting. */
export function returnToClientPage({ client, redirectUri, url, code, message }: Return): Page {
  const target = redirectTarget(redirectUri);
  const refused = code === 'access_denied';
  const title = refused ? 'You denied access' : 'This program cannot be connected';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p><bdi>${client.name}</bdi> got no access.</p>`,
      !refused && html`<p role="alert">Its request is not valid: ${message} <span class="mono">(${code})</span>.</p>`,
      html`<dl class="facts">
        <div>
          <dt>Leads to</dt>
          <dd><bdi class="mono">${target}</bdi></dd>
        </div>
      </dl>`,
      warning(
        html`<strong>Go back only if you know this address.</strong>
          <p>The program chose its name and address itself, and Lensforge has not checked who made it.</p>`,
      ),
      html`<div class="actions">
          <a class="button" rel="noreferrer" href="${url}">Go back to <bdi>${target}</bdi></a>
        </div>
        <p class="soft">Or close this page.</p>`,
    ),
  };
}

/** The page for a request without a known client or redirect URI. */
export function unknownClientPage({ message, refusedUri }: UnknownClient): Page {
  const title = 'This program cannot be connected';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p role="alert">${message}</p>`,
      refusedUri !== undefined &&
        html`<dl class="facts">
          <div>
            <dt>Address</dt>
            <dd><bdi class="mono">${displayUri(refusedUri)}</bdi></dd>
          </div>
        </dl>`,
      html`<p class="soft">It got no access. You can close this page.</p>`,
    ),
  };
}
