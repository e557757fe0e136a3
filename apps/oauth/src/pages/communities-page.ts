import type { Community, CommunityRole, Invite, Member } from '@lensforge/contracts';
import { day } from './dates.js';
import { choice, field, form, hidden } from './form.js';
import { type Html, html } from './html.js';
import { type PageText, card } from './layout.js';
import { type Outcome, outcome } from './resource-pages.js';

export const communitiesPath = '/id/communities';

export const toPagePath = (page: 'community' | 'member' | 'join', communityId: string): string =>
  `${communitiesPath}/${page}?community=${communityId}`;

/** The rights of each role, in words. */
const rightsOf: Readonly<Record<CommunityRole, string>> = {
  owner: 'everything, also owners and the end of the community',
  admin: 'members, invites, tokens and settings',
  moderator: 'threads: hides messages, mutes and closes',
  member: 'sees and uses what belongs to the community',
};

export interface CommunitiesView extends Outcome {
  communities: readonly Community[];
  csrf: string;
  given: { handle?: string | undefined; displayName?: string | undefined };
}

/** The communities of a person, and the form for a new one. */
export const communitiesPage = ({ communities, csrf, given, ...shown }: CommunitiesView): PageText => ({
  title: 'Communities',
  wide: true,
  body: html`${outcome(shown)}
  ${card(
    html`<h1>Communities</h1>
      <p class="lead">A community owns lenses, workflows, credits and tokens that its members share.</p>`,
    communities.length === 0
      ? html`<p class="soft">You are in none. Create one, or join one with an invite.</p>`
      : html`<ul class="rows">
          ${communities.map(
            ({ id, handle, displayName, role, memberCount }) =>
              html`<li>
                <div>
                  <h2 id="c-${id}"><bdi>${displayName}</bdi></h2>
                  <p class="soft small hint">
                    @${handle} · ${role} · ${memberCount === 1 ? 'one member' : `${memberCount} members`}
                  </p>
                </div>
                <a class="button small-button" href="${toPagePath('community', id)}" aria-describedby="c-${id}">Open</a>
              </li>`,
          )}
        </ul>`,
    html`<div class="bar"><a class="button small-button" href="/id/">Your account</a></div>`,
  )}
  ${card(
    html`<h2>New community</h2>`,
    form(
      { action: communitiesPath, token: csrf },
      field({
        name: 'handle',
        label: 'Handle',
        prefix: '@',
        autocomplete: 'off',
        value: given.handle ?? '',
        minlength: 3,
        maxlength: 65,
        hint: '3 to 64 small letters, digits, hyphens and underscores. It cannot be changed later.',
      }),
      field({
        name: 'displayName',
        label: 'Name to show',
        autocomplete: 'off',
        value: given.displayName ?? '',
        maxlength: 100,
      }),
      html`<div class="actions"><button class="main">Create the community</button></div>`,
    ),
  )}`,
});

export interface CommunityView extends Outcome {
  community: Community;
  members: readonly Member[];
  /** More members exist than are shown. */
  hasMore: boolean;
  /** The open invites, for owners and admins. */
  invites: readonly Invite[] | undefined;
  /** The roles with which the viewer can invite. */
  invitable: readonly CommunityRole[];
  sealed: (form: string, id?: string) => string;
}

/** The members and the open invites of a community. */
export const communityPage = ({
  community,
  members,
  hasMore,
  invites,
  invitable,
  sealed,
  ...shown
}: CommunityView): PageText => ({
  title: community.displayName,
  wide: true,
  body: html`${outcome(shown)}
  ${card(
    html`<h1><bdi>${community.displayName}</bdi></h1>
      <p class="lead">
        @${community.handle} · you are ${community.role}: ${community.role && rightsOf[community.role]}.
      </p>
      <div class="bar">
        ${invites && html`<a class="button small-button" href="/id/tokens/new?kind=organisation">New organisation token</a>`}
        <a class="button small-button" href="${communitiesPath}">All communities</a>
        ${form(
          { action: `${communitiesPath}/leave`, token: sealed('leave community') },
          hidden('community', community.id),
          html`<button class="small-button">Leave</button>`,
        )}
      </div>`,
  )}
  ${card(
    html`<h2>Members</h2>
      <ul class="rows">
        ${members.map(
          (member) =>
            html`<li>
              <div>
                <h3 id="m-${member.accountId}"><bdi>${member.displayName}</bdi></h3>
                <p class="soft small hint">
                  @${member.handle} · ${member.role} · since ${day(new Date(member.joinedAt))}
                </p>
              </div>
              ${
                invites &&
                html`<a
                  class="button small-button"
                  href="${toPagePath('member', community.id)}&amp;account=${member.accountId}"
                  aria-describedby="m-${member.accountId}"
                  >Change</a
                >`
              }
            </li>`,
        )}
      </ul>
      ${hasMore && html`<p class="soft">The REST API and the command line list all members.</p>`}`,
  )}
  ${invites && invitesCard({ community, invites, invitable, sealed })}`,
});

function invitesCard({
  community,
  invites,
  invitable,
  sealed,
}: Pick<CommunityView, 'community' | 'invitable' | 'sealed'> & { invites: readonly Invite[] }): Html {
  return card(
    html`<h2>Invites</h2>
      <p class="soft">An invite is for one person. Its value is shown once.</p>`,
    invites.length > 0 &&
      html`<ul class="rows">
        ${invites.map(
          ({ id, role, expiresAt }) =>
            html`<li>
              <div>
                <h3 id="i-${id}">For a ${role}</h3>
                <p class="soft small hint">open until ${day(new Date(expiresAt))}</p>
              </div>
              ${form(
                { action: `${communitiesPath}/revoke-invite`, token: sealed('revoke invite', id) },
                hidden('community', community.id),
                hidden('id', id),
                html`<button class="small-button" aria-describedby="i-${id}">Revoke</button>`,
              )}
            </li>`,
        )}
      </ul>`,
    form(
      { action: `${communitiesPath}/invite`, token: sealed('invite') },
      hidden('community', community.id),
      choice({ name: 'role', label: 'Role' }, invitable.map(roleOption)),
      field({
        name: 'ttl',
        label: 'Days until it expires',
        type: 'number',
        autocomplete: 'off',
        min: 1,
        max: 30,
        value: '7',
      }),
      html`<div class="actions"><button>Create an invite</button></div>`,
    ),
  );
}

const roleOption = (role: CommunityRole) => ({ value: role, label: `${role}: ${rightsOf[role]}` });

export interface MemberView extends Outcome {
  community: Community;
  member: Member;
  /** The roles that the viewer may give to the member. */
  roles: readonly CommunityRole[];
  sealed: (form: string) => string;
}

/** The role of a member, and the end of the membership. */
export const memberPage = ({ community, member, roles, sealed, ...shown }: MemberView): PageText => ({
  title: member.displayName,
  body: html`${outcome(shown)}
  ${card(
    html`<h1><bdi>${member.displayName}</bdi></h1>
      <p class="lead">@${member.handle}, ${member.role} of <bdi>${community.displayName}</bdi></p>`,
    roles.length > 1
      ? form(
          { action: `${communitiesPath}/role`, token: sealed('change role') },
          hidden('community', community.id),
          hidden('account', member.accountId),
          choice({ name: 'role', label: 'Role', value: member.role }, roles.map(roleOption)),
          html`<div class="actions"><button class="main">Change the role</button></div>`,
        )
      : html`<p>Only an owner can change this role.</p>`,
    html`<p class="soft small">
      A member who stops being an owner or admin loses the tokens that they created for the community.
    </p>`,
    form(
      { action: `${communitiesPath}/remove`, token: sealed('remove member') },
      hidden('community', community.id),
      hidden('account', member.accountId),
      html`<div class="actions">
        <button>Remove from the community</button>
        <a class="button plain" href="${toPagePath('community', community.id)}">Back</a>
      </div>`,
    ),
  )}`,
});

/** The value of a new invite, on the only page that ever shows it. */
export const createdInvitePage = ({
  community,
  value,
  link,
}: {
  community: Community;
  value: string;
  link: string;
}): PageText => ({
  title: 'Invite created',
  wide: true,
  body: card(
    html`<h1>Invite created</h1>
      <p class="lead">
        Send both to the person who joins <strong><bdi>${community.displayName}</bdi></strong
        >. The invite is not stored and never shown again.
      </p>
      <p class="label">Address</p>
      <code class="secret mono">${link}</code>
      <p class="label">Invite</p>
      <code class="secret mono">${value}</code>
      <a class="button" href="${toPagePath('community', community.id)}">Back to the community</a>`,
  ),
});

export interface JoinView extends Outcome {
  community: Community;
  csrf: string;
}

/** The form of an invited person; an open community asks for no invite. */
export const joinPage = ({ community, csrf, ...shown }: JoinView): PageText => ({
  title: `Join ${community.displayName}`,
  body: html`${outcome(shown)}
  ${card(
    html`<h1>Join <bdi>${community.displayName}</bdi></h1>
      <p class="lead">@${community.handle}</p>`,
    form(
      { action: `${communitiesPath}/join`, token: csrf },
      hidden('community', community.id),
      community.joinPolicy === 'invite' &&
        field({
          name: 'invite',
          label: 'Invite',
          autocomplete: 'off',
          maxlength: 200,
          hint: 'It begins with lf_inv_.',
        }),
      html`<div class="actions"><button class="main">Join</button></div>`,
    ),
  )}`,
});
