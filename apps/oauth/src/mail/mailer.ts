import type { Drain, Logger, Metrics } from '@lensforge/edge';
import { createTransport } from 'nodemailer';
import { Counter } from 'prom-client';
import type { Letter } from './letters.js';

export interface MailerOptions {
  smtpUrl: string | undefined;
  from: string | undefined;
  production: boolean;
  logger: Logger;
  metrics: Metrics;
  drain: Drain;
}

interface Post {
  to: string;
  letter: Letter;
  /** What a developer without a mail server needs of the letter. */
  link: string;
}

const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Sends mail behind the visitor's back: nobody can tell by time whether there was anything to send. */
export class Mailer {
  private readonly transport;
  private readonly underWay = new Set<Promise<void>>();
  private readonly sent: Counter<'outcome'>;

  constructor(private readonly options: MailerOptions) {
    const { smtpUrl, from, metrics, drain } = options;
    this.transport =
      smtpUrl === undefined || from === undefined
        ? undefined
        : createTransport({ url: smtpUrl, ...patience }, { from });
    this.sent = new Counter({
      name: 'lensforge_mails_total',
      help: 'Mails that were handed to the mail server, and mails that were not',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
    drain.onDrain('mail', () => Promise.all(this.underWay));
    drain.onExit('mail', async () => this.transport?.close());
  }

  get hasServer(): boolean {
    return this.transport !== undefined;
  }

  /** Without a mail server links go to the log, in development alone. */
  get reachesPeople(): boolean {
    return this.hasServer || !this.options.production;
  }

  send(post: Post): void {
    const sending = this.deliver(post).finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }

  private async deliver({ to, letter: { subject, text, html }, link }: Post): Promise<void> {
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
      logger.warn({ reason: saidBy(reason) }, 'a mail could not be sent');
    }
  }
}

/** The kind of failure alone: what a mail server says may repeat the letter. */
function saidBy(reason: unknown): string {
  const code: unknown = reason instanceof Error ? Reflect.get(reason, 'code') : undefined;
  const responseCode: unknown = reason instanceof Error ? Reflect.get(reason, 'responseCode') : undefined;
  return (
    [code, responseCode].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ') || 'unknown'
  );
}
