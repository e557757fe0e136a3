import type { Context } from '@lensforge/core';
import { ledgerFaults } from '@lensforge/credits';
import { runFaults } from '@lensforge/runs';
import { type Finding, fault, ok } from './finding.js';

const limits = { lateMs: 60_000, latest: 5000 };
const named = 3;

/** Checks what must hold at any time; the same as the metric lensforge_invariant_violations, and the whole ledger. */
export async function checkInvariants(ctx: Context): Promise<Finding[]> {
  const { stuck, unsettled, brokenEvents, unsent } = await runFaults(ctx, limits);
  const ledger = await ledgerFaults(ctx.db);
  const check = (about: string, count: number, what: string): Finding =>
    count === 0 ? ok(about, 'none') : fault(about, `${count} ${what}`);
  return [
    check(
      'stuck runs',
      stuck,
      'are a minute past their deadline or lease: check that run-workers run and reach the database',
    ),
    check(
      'unsettled credits',
      unsettled,
      'ended runs still hold credits: report this as a defect, with the log of the run-workers',
    ),
    check(
      'event gaps',
      brokenEvents,
      'runs have gaps in their events: report this as a defect, and restore no single tables',
    ),
    check('stale outbox rows', unsent, 'rows were not published for a minute: check that services run and reach Redis'),
    ledger.length === 0
      ? ok('ledger', 'all balances are the sums of their entries')
      : fault(
          'ledger',
          `${ledger.length} contradictions; stop granting credits, keep a backup, and look at: ${describeFaults(ledger)}`,
        ),
  ];
}

const describeFaults = (faults: Awaited<ReturnType<typeof ledgerFaults>>): string =>
  faults
    .slice(0, named)
    .map(({ accountId, fault }) => `${accountId}: ${fault}`)
    .join('; ');
