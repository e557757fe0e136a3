import type { DelegationName } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import {
  type SuspensionNotice,
  claimSuspensionNotice,
  completeSuspensionNotice,
  listEmailsOf,
  listOwnerEmails,
  releaseSuspensionNotice,
} from '@lensforge/identity';
import {
  type ProposalNotice,
  type ReturnNotice,
  claimProposalNotice,
  claimReturnNotice,
  completeProposalNotice,
  completeReturnNotice,
  releaseProposalNotice,
  releaseReturnNotice,
} from '@lensforge/releases';
import { type DisabledNotice, claimNotices, completeNotice, releaseNotice } from '@lensforge/webhooks';
import { createTransport, type Transporter } from 'nodemailer';

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/**
 * Sends owners an e-mail when one of their endpoints was disabled or a label of theirs returned by itself, people whose approval
 * a move of a label needs, and administrators of a community when what a former one set up was suspended. An e-mail that fails is
 * retried in the next round. If the process is lost while it sends, another one sends the e-mail again, so that it may arrive twice.
 */
export class Notices {
  private readonly transport: Transporter;

  private readonly consoleUrl: string | undefined;

  constructor(
    private readonly platform: Pick<Platform, 'drain' | 'logger'>,
    { url, from, consoleUrl }: { url: string; from: string; consoleUrl?: string | undefined },
  ) {
    this.consoleUrl = consoleUrl;
    this.transport = createTransport({ url, ...timeouts }, { from });
    platform.drain.onExit('mail', () => this.transport.close());
  }

  /** Sends one notice; true when there may be more to send. */
  async send(ctx: Context): Promise<boolean> {
    const [disabled] = await claimNotices(ctx, { limit: 1 });
    if (disabled) {
      return this.deliver(disabled, {
        subject: 'A webhook was disabled',
        text: writeNoticeText(disabled),
        complete: () => completeNotice(ctx, disabled),
        release: () => releaseNotice(ctx, disabled),
      });
    }
    const returned = await claimReturnNotice(ctx);
    if (returned) {
      return this.deliver(
        { emails: await listOwnerEmails(ctx, returned.accountId) },
        {
          subject: `${returned.label} returned to its version before`,
          text: textOfReturn(returned),
          complete: () => completeReturnNotice(ctx, returned),
          release: () => releaseReturnNotice(ctx, returned),
        },
      );
    }
    const proposed = await claimProposalNotice(ctx);
    if (proposed) {
      const { accountId, approvers, proposedBy } = proposed;
      const emails = approvers
        ? await listEmailsOf(
            ctx,
            approvers.filter((id) => id !== proposedBy && id !== accountId),
          )
        : await listOwnerEmails(ctx, accountId, proposedBy);
      const notice = {
        subject: `${proposed.label}: a move waits for you`,
        text: textOfProposal(proposed, this.consoleUrl),
        complete: () => completeProposalNotice(ctx, proposed),
        release: () => releaseProposalNotice(ctx, proposed),
      };
      return this.deliver({ emails }, notice);
    }
    const suspended = await claimSuspensionNotice(ctx);
    if (!suspended) return false;
    return this.deliver(suspended, {
      subject: `${suspended.community}: suspended with the role of their creator`,
      text: textOfSuspension(suspended),
      complete: () => completeSuspensionNotice(ctx, suspended),
      release: () => releaseSuspensionNotice(ctx, suspended),
    });
  }

  private async deliver(
    { emails }: { emails: readonly string[] },
    { subject, text, complete, release }: Email,
  ): Promise<boolean> {
    try {
      for (const to of emails) await this.transport.sendMail({ to: { name: '', address: to }, subject, text });
    } catch {
      // The error of a mail server may quote the e-mail, so it is not logged.
      await release();
      this.platform.logger.warn({ subject }, 'a notice could not be sent; it is retried');
      return false;
    }
    await complete();
    return true;
  }
}

interface Email {
  subject: string;
  text: string;
  complete: () => Promise<void>;
  release: () => Promise<void>;
}

const textOfProposal = ({ id, label }: ProposalNotice, consoleUrl: string | undefined): string =>
  [
    `A move of the label ${label} was proposed and needs a second person.`,
    consoleUrl === undefined
      ? `The proposal is ${id}.`
      : `Look at it, and approve or decline it:\n${consoleUrl}/approvals?proposal=${id}`,
    'It expires after seven days.',
  ].join('\n\n') + '\n';

const textOfReturn = ({ kind, ownerId, label, returned: { version, reason } }: ReturnNotice): string =>
  [
    `The label ${label} of the ${kind} ${ownerId} left version ${version}, because a bound was crossed:`,
    reason,
    'Its callers get the version before. The history of the label has both moves. Nothing moves it forward again by itself.',
  ].join('\n\n') + '\n';

const kinds: Readonly<Record<Exclude<DelegationName, 'connector'>, string>> = {
  incoming_webhook: 'Incoming webhook',
  schedule: 'Schedule',
  evaluation_rule: 'Rule of evaluation',
  webhook_endpoint: 'Webhook endpoint',
};

const textOfSuspension = ({ community, reason, items }: SuspensionNotice): string =>
  [
    `A former administrator of ${community} ${reason === 'creator_removed' ? 'is no longer a member' : 'lost that role'}. What that person set up in the community is suspended:`,
    items.map(({ kind, id, name }) => `${kinds[kind as keyof typeof kinds]}: ${name}\n(${id})`).join('\n\n'),
    'To use one again, take it over with POST …/{id}/take-over of its resource. Secrets are replaced.',
  ].join('\n\n') + '\n';

const reasons = {
  gone: 'It answered with 410 (Gone).',
  failing: 'Every delivery to it failed for three days.',
};

const writeNoticeText = ({ endpointId, url, reason }: DisabledNotice): string =>
  [
    'Lensforge no longer sends webhooks to this endpoint of yours:',
    `${url}\n(${endpointId})`,
    reasons[reason],
    'Once it works again, enable it with POST /v1/webhook-endpoints/{endpointId}/enable. What it missed can be sent with POST /v1/webhook-endpoints/{endpointId}/replays.',
  ].join('\n\n') + '\n';
