import { type Issue, flag, integer, text } from '@lensforge/contracts';
import { PlatformEnvironment, type Risk, allOrNone, mailSender, masterKeyText, smtpUrl } from '@lensforge/edge';
import { masterKeysFault } from '@lensforge/vault';

export class DispatcherEnvironment extends PlatformEnvironment {
  @text({
    ...masterKeyText,
    check: masterKeysFault,
    description: '32 random bytes in base64, or several as 1:key,2:key while they rotate; it seals webhook secrets.',
  })
  LENSFORGE_MASTER_KEY!: string;

  @flag({ description: 'For development: lets webhooks go to private addresses, plain http and any port.' })
  LENSFORGE_WEBHOOKS_ALLOW_PRIVATE = false;

  @flag({ description: 'Lets webhooks go to http:// addresses too.' })
  LENSFORGE_WEBHOOKS_ALLOW_HTTP = false;

  @text({ pattern: /^\d{1,5}(,\d{1,5})*$/, max: 200, description: 'The ports that webhooks may go to.' })
  LENSFORGE_WEBHOOKS_PORTS = '443,80';

  @text({ pattern: /^\d{1,8}(,\d{1,8}){2}$/, max: 30, description: 'The waits before the three retries.' })
  LENSFORGE_WEBHOOK_RETRY_MS = '5000,25000,125000';

  @integer({ min: 100, max: 60_000, description: 'How long a receiver may take to begin its response.' })
  LENSFORGE_WEBHOOK_TIMEOUT_MS = 10_000;

  @integer({
    min: 1000,
    max: 600_000,
    description: 'A running delivery whose lease was not renewed for this long counts as lost.',
  })
  LENSFORGE_WEBHOOK_LEASE_MS = 8000;

  @integer({ min: 1, max: 1000, description: 'Concurrent deliveries of one process.' })
  LENSFORGE_WEBHOOK_CONCURRENCY = 256;

  @integer({ min: 1, max: 100, description: 'Concurrent deliveries to one endpoint, over all processes.' })
  LENSFORGE_WEBHOOK_ENDPOINT_CONCURRENCY = 4;

  @integer({ min: 1, max: 10_000, description: 'Deliveries to an endpoint pause after this many failures in a row.' })
  LENSFORGE_WEBHOOK_BREAKER_FAILURES = 10;

  @integer({
    min: 100,
    max: 60_000,
    description: 'The first pause; it doubles with each further failure, up to a minute.',
  })
  LENSFORGE_WEBHOOK_BREAKER_MS = 5000;

  @integer({ min: 1, max: 3650, description: 'How many days ended events and deliveries are kept.' })
  LENSFORGE_WEBHOOK_RETENTION_DAYS = 30;

  @integer({
    min: 100,
    max: 60_000,
    description: 'How often the dispatcher looks for lost deliveries and overdue runs.',
  })
  LENSFORGE_RECONCILE_MS = 1000;

  @text({
    ...smtpUrl,
    description:
      'The mail server for notices of disabled webhooks, labels that returned, and approvals; without one they appear only in the API and the audit log.',
  })
  LENSFORGE_SMTP_URL?: string;

  @text({ ...mailSender, description: 'The sender of e-mails; goes with LENSFORGE_SMTP_URL.' })
  LENSFORGE_MAIL_FROM?: string;

  get mail(): { url: string; from: string; consoleUrl: string | undefined } | undefined {
    const { LENSFORGE_SMTP_URL: url, LENSFORGE_MAIL_FROM: from, LENSFORGE_PUBLIC_API_URL: api } = this;
    if (url === undefined || from === undefined) return undefined;
    return { url, from, consoleUrl: api && `${api.replace(/(?<!\/)\/+$/, '')}/console` };
  }

  get retryMs(): number[] {
    return this.LENSFORGE_WEBHOOK_RETRY_MS.split(',').map(Number);
  }

  get ports(): number[] {
    return this.LENSFORGE_WEBHOOKS_PORTS.split(',').map(Number);
  }

  /** A receiver may take half of the timeout for the rest of its response. */
  get totalMs(): number {
    return Math.ceil(this.LENSFORGE_WEBHOOK_TIMEOUT_MS * 1.5);
  }

  override faults(): Issue[] {
    return [...super.faults(), ...allOrNone(this, ['LENSFORGE_SMTP_URL', 'LENSFORGE_MAIL_FROM'])];
  }

  override risks(): Risk[] {
    if (!this.LENSFORGE_WEBHOOKS_ALLOW_PRIVATE) return [];
    const message = 'lets users send webhooks to private addresses, over plain http and to any port';
    return [{ risk: 'private-addresses', path: 'LENSFORGE_WEBHOOKS_ALLOW_PRIVATE', message }];
  }
}
