import { html } from '../pages/html.js';

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

interface MailParts {
  subject: string;
  greeting: string;
  lines: readonly string[];
  /** The text of the button; `link` is its target. */
  button: string;
  link: string;
  closing: string;
}

export const confirmationMail = (link: string): MailText =>
  letter({
    subject: 'Confirm your email for Lensforge',
    greeting: 'Welcome to Lensforge.',
    lines: ['You signed up with this address. Confirm it to finish.'],
    button: 'Confirm my email',
    link,
    closing: 'The link works once, for 24 hours. If you did not sign up, ignore this mail: no account is made.',
  });

export const passwordResetMail = (link: string): MailText =>
  letter({
    subject: 'Choose a new password for Lensforge',
    greeting: 'A new password was requested for your account.',
    lines: ['Choose it with this link. You are then signed out everywhere.'],
    button: 'Choose a new password',
    link,
    closing:
      'The link works once, for an hour. If you did not ask for it, ignore this mail: your password stays as it is.',
  });

export const passwordChangedMail = (link: string): MailText =>
  letter({
    subject: 'Your Lensforge password was changed',
    greeting: 'The password of your Lensforge account was changed just now.',
    lines: [
      'If you did not change it, choose a new password at once.',
      'You are signed out elsewhere. Programs keep their tokens: revoke them on the page of your account.',
    ],
    button: 'I did not do this',
    link,
    closing: 'Lensforge never asks for your password by mail or in a chat.',
  });

/** Tells a person about a change of the ways to sign in, such as a new passkey. */
export const signInChangedMail =
  (change: string) =>
  (link: string): MailText =>
    letter({
      subject: 'The ways to sign in to Lensforge were changed',
      greeting: `${change} just now.`,
      lines: ['If you did not do this, choose a new password at once, and look at the page of your account.'],
      button: 'I did not do this',
      link,
      closing: 'Lensforge never asks for your password by mail or in a chat.',
    });

function letter({ subject, greeting, lines, button, link, closing }: MailParts): MailText {
  return {
    subject,
    text: [greeting, ...lines, link, closing].join('\n\n') + '\n',
    html: html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="color-scheme" content="light dark" />
          <title>${subject}</title>
        </head>
        <body
          style="margin:0;padding:32px 16px;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
        >
          <div style="max-width:32rem;margin:0 auto">
            <p style="font-weight:650;font-size:18px;margin:0 0 24px">Lensforge</p>
            <p>${greeting}</p>
            ${lines.map((line) => html`<p>${line}</p>`)}
            <p style="margin:28px 0">
              <a
                href="${link}"
                style="display:inline-block;background:#2457d6;color:#ffffff;text-decoration:none;font-weight:600;padding:12px 20px;border-radius:8px"
                >${button}</a
              >
            </p>
            <p style="font-size:14px">
              Or open this address: <a href="${link}" style="color:#2457d6;word-break:break-all">${link}</a>
            </p>
            <p style="font-size:14px">${closing}</p>
          </div>
        </body>
      </html>`.toString(),
  };
}
