import type { shapes } from '@lensforge/sdk';

/** The texts of the suspension of what acts later, and of its end. */
export const delegationsTexts = {
  takeOver: 'Take over',
  takeOverSchedule: (title: string): string =>
    `The runs of ${title} get your rights, and its suspension ends. Take it over?`,
  takeOverIncoming: (name: string): string =>
    `The runs of ${name} get your rights, and its suspension ends. It gets a new secret, and callers with the old one are refused at once. Take it over?`,
  takeOverEndpoint: (url: string): string =>
    `${url} counts as created by you, is enabled and gets a new secret. The old one signs nothing any more. Take it over?`,
  reasons: {
    creator_removed: 'Its creator is no longer a member.',
    creator_demoted: 'Its creator is no longer an administrator.',
    account_closed: 'The account of its creator was closed.',
    credential_revoked: 'The token that made it was revoked.',
  } satisfies Record<NonNullable<shapes.ScheduleRecord['suspendedReason']>, string>,
} as const;
