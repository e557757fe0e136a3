import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { accountTexts } from '../view-texts/account';
import { Action } from '../ui/action';
import { Copy } from '../ui/copy';
import { Form, readField } from '../ui/form';
import { Secret } from '../ui/secret';
import { Loaded } from '../ui/states';
import { Time } from '../ui/time';
import { DataTable } from '../ui/data-table';
import { Field, SelectField } from '../ui/field';

const roles = ['member', 'moderator', 'admin'] as const;

const isOpen = ({ acceptedAt, revokedAt, expiresAt }: shapes.Invite): boolean =>
  acceptedAt === null && revokedAt === null && Date.parse(expiresAt) > Date.now();

/** Opens the form for the value of an invite; the value itself is in no address, which histories and logs keep. */
const toJoinLink = (communityId: string): string =>
  new URL(`/console/account?tab=communities&community=${communityId}`, window.location.origin).href;

/** The open invites of a community, for its owners and admins. */
export function Invites({ communityId }: { communityId: string }) {
  const { communities } = useClient();
  const [made, setMade] = useState<string>();
  const invites = useQuery({
    queryKey: ['community', communityId, 'invites'],
    queryFn: async () => (await communities.listInvites(communityId, { limit: 100 })).items,
  });
  const create = async (values: FormData): Promise<void> => {
    const role = roles.find((each) => each === readField(values, 'role')) ?? 'member';
    setMade((await communities.createInvite(communityId, { role, ttl: Number(readField(values, 'ttl')) })).value);
    await invites.refetch();
  };
  const revoke = async (id: string): Promise<void> => {
    await communities.revokeInvite(communityId, id);
    await invites.refetch();
  };
  return (
    <>
      <h3>{accountTexts.invites}</h3>
      {made !== undefined && (
        <>
          <Secret what={accountTexts.inviteValue} value={made} />
          <p className="quiet">
            {accountTexts.inviteLink} <code>{toJoinLink(communityId)}</code> <Copy text={toJoinLink(communityId)} />
          </p>
        </>
      )}
      <Form onSend={create} action={accountTexts.invite}>
        <div className="columns">
          <SelectField label={accountTexts.role} name="role">
            {roles.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </SelectField>
          <Field label={accountTexts.inviteDays} name="ttl" type="number" required min={1} max={30} defaultValue={7} />
        </div>
      </Form>
      <Loaded query={invites}>
        {(items) =>
          items.some(isOpen) ? (
            <DataTable
              items={items.filter(isOpen)}
              getKey={({ id }) => id}
              columns={[
                { name: accountTexts.inviteColumns.role, show: ({ role }) => role },
                {
                  name: accountTexts.inviteColumns.created,
                  isNamed: true,
                  show: ({ createdAt }) => <Time at={createdAt} />,
                },
                {
                  name: accountTexts.inviteColumns.expires,
                  isNamed: true,
                  sortBy: ({ expiresAt }) => expiresAt,
                  show: ({ expiresAt }) => <Time at={expiresAt} />,
                },
                {
                  name: texts.actions,
                  show: ({ id }) => (
                    <Action className="danger" onAct={() => revoke(id)}>
                      {accountTexts.revoke}
                    </Action>
                  ),
                },
              ]}
            />
          ) : (
            <p className="quiet">{accountTexts.noInvites}</p>
          )
        }
      </Loaded>
    </>
  );
}
