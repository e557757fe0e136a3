import type { Context } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { DisabledNotice } from '@lensforge/webhooks';
import { claimNotices, releaseNotice, completeNotice } from '@lensforge/webhooks';
import { createTransport, type Transporter } from 'nodemailer';

const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/**
 * Tells people by mail that an endpoint of theirs was disabled. What cannot be sent is tried again in the next round; what
 * a process was sending when it was lost, by another: rather twice than never.
 */
export class Notices {
  private readonly transport: Transporter;

  constructor(
    private readonly platform: Pick<Platform, 'drain' | 'logger'>,
    { url, from }: { url: string; from: string },
  ) {
    this.transport = createTransport({ url, ...patience }, { from });
    platform.drain.onExit('mail', () => this.transport.close());
  }

  /** One at a time. Whether there may be more to do. */
  async send(ctx: Context): Promise<boolean> {
    const [notice] = await claimNotices(ctx, { limit: 1 });
    if (!notice) return false;
    try {
      for (const to of notice.emails) {
        const text = textOf(notice);
        await this.transport.sendMail({ to: { name: '', address: to }, subject: 'A webhook was disabled', text });
      }
    } catch {
      // What a mail server says may repeat the letter, so it is not logged.
      await releaseNotice(ctx, notice);
      this.platform.logger.warn({ endpointId: notice.endpointId }, 'the notice of a webhook could not be sent');
      return false;
    }
    await completeNotice(ctx, notice);
    return true;
  }
}

const reasons = {
  gone: 'It answered with 410, which means that it is gone.',
  failing: 'For three days nothing but failures came back from it.',
};

const textOf = ({ endpointId, url, reason }: DisabledNotice): string =>
  [
    'Lensforge no longer sends webhooks to this endpoint of yours:',
    `${url}\n(${endpointId})`,
    reasons[reason],
    'Once it works again, enable it with POST /v1/webhook-endpoints/{endpointId}/enable. What it missed can be sent with POST /v1/webhook-endpoints/{endpointId}/replays.',
  ].join('\n\n') + '\n';
