import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient, useConsole } from '../session/console';
import { texts } from '../texts';
import { accountTexts } from '../view-texts/account';
import { Action } from '../ui/action';
import { Json } from '../ui/json';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';
import { AuditTarget } from './audit-target';
import { useMemberships } from './use-memberships';
import { DataTable } from '../ui/data-table';

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The handles of the members of a community, by account; that of the person alone without one. */
function useHandles(communityId: string): ReadonlyMap<string, string> {
  const { client, me } = useConsole();
  const { data: members = [] } = useQuery({
    queryKey: ['members', communityId, 'handles'],
    queryFn: async () => (await client.communities.listMembers(communityId, { limit: 100 })).items,
    enabled: communityId !== '',
  });
  const own = me.account ? [[me.account.id, me.account.handle] as const] : [];
  return new Map([...own, ...members.map(({ accountId, handle }) => [accountId, handle] as const)]);
}

/** The account that acted, and the kind of its credential. */
function describeActor(
  { accountId, credential }: shapes.AuditEntry['actor'],
  handles: ReadonlyMap<string, string>,
): string {
  const id = textIn(accountId);
  const handle = handles.get(id);
  return `${handle === undefined ? id.slice(-12) : `@${handle}`} · ${textIn(credential)}`;
}

/** The audit log of the account, the newest entries first. */
export function AuditLog() {
  const client = useClient();
  const [communityId, setCommunity] = useState('');
  const [verdict, setVerdict] = useState<shapes.AuditVerification>();
  const managed = useMemberships().filter(({ role }) => role === 'owner' || role === 'admin');
  const handles = useHandles(communityId);
  const of = communityId === '' ? {} : { communityId };
  const entries = usePaged(['audit', communityId], (cursor) => client.audit.list({ limit: 50, cursor, ...of }));
  const verify = async (): Promise<void> => {
    let part: shapes.AuditVerification | undefined;
    let entries = 0;
    do {
      part = await client.audit.verify({ ...of, ...(part?.next && { after: part.next }) });
      entries += part.entries;
    } while (part.next !== null);
    setVerdict({ ...part, entries });
  };
  return (
    <>
      <div className="row">
        <label>
          {accountTexts.logOf}{' '}
          <select
            value={communityId}
            onChange={({ target }) => {
              setCommunity(target.value);
              setVerdict(undefined);
            }}
          >
            <option value="">{accountTexts.myAccount}</option>
            {managed.map(({ communityId: id, displayName }) => (
              <option key={id} value={id}>
                {displayName}
              </option>
            ))}
          </select>
        </label>
        <Action onAct={verify}>{accountTexts.verify}</Action>
      </div>
      {verdict && (
        <p className={verdict.intact ? 'notice' : 'notice bad'} role="status">
          {verdict.fault
            ? `${accountTexts.broken} ${verdict.fault.sequence}: ${verdict.fault.fault}`
            : `${accountTexts.intact} ${verdict.entries}`}
        </p>
      )}
      <PagedList paged={entries} none={accountTexts.noEntries}>
        {(items) => <Entries entries={items} handles={handles} />}
      </PagedList>
    </>
  );
}

interface EntriesProps {
  entries: readonly shapes.AuditEntry[];
  handles: ReadonlyMap<string, string>;
}

const Entries = ({ entries, handles }: EntriesProps) => (
  <DataTable
    items={entries}
    getKey={({ id }) => id}
    columns={[
      { name: accountTexts.when, show: ({ occurredAt }) => <Time at={occurredAt} /> },
      {
        name: accountTexts.action,
        show: ({ action, details }) => (
          <>
            <span className="brief">{action}</span>
            {Object.keys(details).length > 0 && (
              <details>
                <summary>{accountTexts.details}</summary>
                <Json value={details} label={`${accountTexts.details}: ${action}`} />
              </details>
            )}
          </>
        ),
      },
      { name: accountTexts.target, show: ({ target }) => <AuditTarget target={target} handles={handles} /> },
      {
        name: accountTexts.actor,
        isNamed: true,
        className: 'brief',
        show: ({ actor }) => describeActor(actor, handles),
      },
      {
        name: texts.runs.request,
        isNamed: true,
        show: ({ requestId }) => <code title={requestId}>{requestId.slice(-12)}</code>,
      },
    ]}
  />
);
