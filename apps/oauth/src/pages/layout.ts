import { Html, type Part, html } from './html.js';
import { passkeyScript } from './passkey-script.js';
import { styles } from './styles.js';

export interface PageText {
  /** The title of the tab, before the name of the product. */
  title: string;
  body: Html;
  wide?: boolean;
  /** The page reports an error; the title begins with it for screen readers. */
  failed?: boolean;
  /** The page has a form with a passkey, and the script for it. */
  passkeys?: boolean;
}

const mark = html`<svg viewBox="0 0 32 32" fill="none" aria-hidden="true">
  <circle cx="16" cy="16" r="12.5" stroke="currentColor" stroke-width="3" />
  <path d="M16 8.5 18.6 13.4 23.5 16 18.6 18.6 16 23.5 13.4 18.6 8.5 16 13.4 13.4Z" fill="currentColor" />
</svg>`;

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="12.5" fill="none" stroke="#c2530f" stroke-width="3"/><path d="M16 8.5 18.6 13.4 23.5 16 18.6 18.6 16 23.5 13.4 18.6 8.5 16 13.4 13.4Z" fill="#c2530f"/></svg>',
  );

// The content security policy has the hash of exactly these bytes.
const style = new Html(`<style>${styles}</style>`);

export const layout = ({ title, body, wide, failed, passkeys }: PageText): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f5f4f1" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#151413" media="(prefers-color-scheme: dark)" />
        <meta name="robots" content="noindex" />
        <title>${failed && 'Error: '}${title} · Lensforge</title>
        <link rel="icon" href="${icon}" />
        ${style}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header><a class="brand" href="/id/">${mark}Lensforge</a></header>
        <main id="content" tabindex="-1" class="${wide && 'wide'}">${body}</main>
        <footer>Lensforge never asks for your password by mail or in a chat.</footer>
        ${passkeys && passkeyScript}
      </body>
    </html> `.toString();

export const card = (...content: readonly Part[]): Html => html`<section class="card">${content}</section>`;

/** An error that a screen reader announces at once. */
export const alarm = (...content: readonly Part[]): Html => html`<div class="note bad" role="alert">${content}</div>`;

export const notice = (...content: readonly Part[]): Html =>
  html`<div class="note good" role="status">${content}</div>`;

export const warning = (...content: readonly Part[]): Html => html`<div class="note warn">${content}</div>`;
