import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useState } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { accountTexts } from '../view-texts/account';
import { Action } from '../ui/action';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Empty, Loaded } from '../ui/states';
import { Invites } from './invites';
import { DataTable } from '../ui/data-table';
import { Field } from '../ui/field';

const route = getRouteApi('/account');

const roles = ['member', 'moderator', 'admin', 'owner'] as const;

/** The communities of the person, their members and invites. */
export function Communities() {
  const { client } = useConsole();
  const { community } = route.useSearch();
  const me = useQuery({ queryKey: ['me'], queryFn: async () => client.me.get() });
  const create = async (values: FormData): Promise<void> => {
    await client.communities.create({
      handle: readField(values, 'handle'),
      displayName: readField(values, 'displayName'),
    });
    await me.refetch();
  };
  const join = async (values: FormData): Promise<void> => {
    const invite = readField(values, 'invite');
    await client.communities.join(readField(values, 'communityId'), invite === '' ? {} : { invite });
    await me.refetch();
  };
  return (
    <>
      <Loaded query={me}>
        {({ memberships = [] }) =>
          memberships.length === 0 ? (
            <Empty title={accountTexts.noCommunities} />
          ) : (
            memberships.map((membership) => (
              <Community key={membership.communityId} membership={membership} onLeft={() => me.refetch()} />
            ))
          )
        }
      </Loaded>
      <h2>{accountTexts.join}</h2>
      <p className="quiet">{accountTexts.joinHint}</p>
      <Form onSend={join} action={accountTexts.joinNow} clears>
        <div className="columns">
          <Field
            label={accountTexts.communityId}
            name="communityId"
            required
            autoComplete="off"
            spellCheck={false}
            defaultValue={community}
          />
          <Field label={accountTexts.inviteField} name="invite" autoComplete="off" spellCheck={false} />
        </div>
      </Form>
      <h2>{accountTexts.newCommunity}</h2>
      <Form onSend={create} action={texts.create} clears>
        <div className="columns">
          <Field label={accountTexts.handle} name="handle" required />
          <Field label={texts.name} name="displayName" required />
        </div>
      </Form>
    </>
  );
}

interface CommunityProps {
  membership: shapes.MembershipSummary;
  onLeft: () => Promise<unknown>;
}

function Community({ membership, onLeft }: CommunityProps) {
  const { client, me } = useConsole();
  const { communityId, displayName, handle, role } = membership;
  const leave = async (): Promise<void> => {
    await client.communities.removeMember(communityId, me.account?.id ?? '');
    await onLeft();
  };
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(toggled) => setOpen(toggled.currentTarget.open)}>
      <summary>
        {displayName} <span className="quiet">@{handle}</span> {role}
      </summary>
      {isOpen && (
        <>
          <Members communityId={communityId} mayManage={role === 'owner' || role === 'admin'} />
          <ConfirmedAction question={accountTexts.leaveQuestion(displayName)} onAct={leave}>
            {accountTexts.leave}
          </ConfirmedAction>
        </>
      )}
    </details>
  );
}

function Members({ communityId, mayManage }: { communityId: string; mayManage: boolean }) {
  const { client, me } = useConsole();
  const members = usePaged(['community', communityId, 'members'], (cursor) =>
    client.communities.listMembers(communityId, { limit: 50, cursor }),
  );
  const then = async (act: PromiseLike<unknown>): Promise<void> => {
    await act;
    members.retry();
  };
  return (
    <>
      <PagedList paged={members} none={accountTexts.noMembers}>
        {(items) => (
          <DataTable
            items={items}
            getKey={({ accountId }) => accountId}
            columns={[
              {
                name: accountTexts.memberColumns.member,
                show: ({ displayName, handle }) => (
                  <>
                    {displayName} <span className="quiet">@{handle}</span>
                  </>
                ),
              },
              {
                name: accountTexts.memberColumns.role,
                show: ({ accountId, role }) =>
                  mayManage && accountId !== me.account?.id ? (
                    <div className="row">
                      {roles
                        .filter((each) => each !== role)
                        .map((each) => (
                          <Action
                            key={each}
                            onAct={() => then(client.communities.setRole(communityId, accountId, { role: each }))}
                          >
                            {each}
                          </Action>
                        ))}
                      <Action
                        className="danger"
                        onAct={() => then(client.communities.removeMember(communityId, accountId))}
                      >
                        {accountTexts.removeMember}
                      </Action>
                    </div>
                  ) : (
                    role
                  ),
              },
            ]}
          />
        )}
      </PagedList>
      {mayManage && <Invites communityId={communityId} />}
    </>
  );
}
