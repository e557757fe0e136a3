import type { Drain, Logger, Metrics } from '@lensforge/edge';
import { createTransport } from 'nodemailer';
import { Counter } from 'prom-client';
import type { MailText } from './mails.js';

export interface MailerOptions {
  smtpUrl: string | undefined;
  from: string | undefined;
  production: boolean;
  logger: Logger;
  metrics: Metrics;
  drain: Drain;
}

interface OutgoingMail {
  to: string;
  letter: MailText;
  /** The link of the mail; written to the log in development without a mail server. */
  link: string;
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Sends mail in the background, so that response times do not reveal that there was mail to send. */
export class Mailer {
  private readonly transport;
  private readonly underWay = new Set<Promise<void>>();
  private readonly sent: Counter<'outcome'>;

  constructor(private readonly options: MailerOptions) {
    const { smtpUrl, from, metrics, drain } = options;
    this.transport =
      smtpUrl === undefined || from === undefined
        ? undefined
        : createTransport({ url: smtpUrl, ...timeouts }, { from });
    this.sent = new Counter({
      name: 'lensforge_mails_total',
      help: 'Mails that the mail server accepted or refused',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
    drain.onDrain('mail', () => Promise.all(this.underWay));
    drain.onExit('mail', async () => this.transport?.close());
  }

  get hasServer(): boolean {
    return this.transport !== undefined;
  }

  /** True with a mail server, and in development, where links go to the log. */
  get canDeliver(): boolean {
    return this.hasServer || !this.options.production;
  }

  send(mail: OutgoingMail): void {
    const sending = this.deliver(mail).finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }

  private async deliver({ to, letter: { subject, text, html }, link }: OutgoingMail): Promise<void> {
    const { logger, production } = this.options;
    if (!this.transport) {
      if (!production) logger.info({ to }, `mail (no mail server is set up) "${subject}": ${link}`);
      return;
    }
    try {
      await this.transport.sendMail({ to: { name: '', address: to }, subject, text, html });
      this.sent.inc({ outcome: 'sent' });
    } catch (reason) {
      this.sent.inc({ outcome: 'failed' });
      logger.warn({ reason: describeCodes(reason) }, 'a mail could not be sent');
    }
  }
}

/** Only the codes of a failure: the message of a mail server may repeat the mail. */
function describeCodes(reason: unknown): string {
  const code: unknown = reason instanceof Error ? Reflect.get(reason, 'code') : undefined;
  const responseCode: unknown = reason instanceof Error ? Reflect.get(reason, 'responseCode') : undefined;
  return (
    [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ') || 'unknown'
  );
}
