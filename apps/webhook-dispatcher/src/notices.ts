import type { Context } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { DisabledNotice } from '@lensforge/webhooks';
import { claimNotices, releaseNotice, completeNotice } from '@lensforge/webhooks';
import { createTransport, type Transporter } from 'nodemailer';

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/**
 * Sends owners an e-mail when one of their endpoints was disabled. An e-mail that fails is retried in the next round. If the
 * process is lost while it sends, another one sends the e-mail again, so that it may arrive twice.
 */
export class Notices {
  private readonly transport: Transporter;

  constructor(
    private readonly platform: Pick<Platform, 'drain' | 'logger'>,
    { url, from }: { url: string; from: string },
  ) {
    this.transport = createTransport({ url, ...timeouts }, { from });
    platform.drain.onExit('mail', () => this.transport.close());
  }

  /** Sends the notice of one endpoint; true when there may be more to send. */
  async send(ctx: Context): Promise<boolean> {
    const [notice] = await claimNotices(ctx, { limit: 1 });
    if (!notice) return false;
    try {
      for (const to of notice.emails) {
        const text = textOf(notice);
        await this.transport.sendMail({ to: { name: '', address: to }, subject: 'A webhook was disabled', text });
      }
    } catch {
      // The error of a mail server may quote the e-mail, so it is not logged.
      await releaseNotice(ctx, notice);
      this.platform.logger.warn(
        { endpointId: notice.endpointId },
        'the notice of a disabled webhook could not be sent; it is retried',
      );
      return false;
    }
    await completeNotice(ctx, notice);
    return true;
  }
}

const reasons = {
  gone: 'It answered with 410 (Gone).',
  failing: 'Every delivery to it failed for three days.',
};

const textOf = ({ endpointId, url, reason }: DisabledNotice): string =>
  [
    'Lensforge no longer sends webhooks to this endpoint of yours:',
    `${url}\n(${endpointId})`,
    reasons[reason],
    'Once it works again, enable it with POST /v1/webhook-endpoints/{endpointId}/enable. What it missed can be sent with POST /v1/webhook-endpoints/{endpointId}/replays.',
  ].join('\n\n') + '\n';
