import { Link, getRouteApi } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';

const route = getRouteApi('/lenses');

/** The library of lenses that the person may see. */
export default function LensListView() {
  const { client, me } = useConsole();
  const { q, mine } = route.useSearch();
  const navigate = route.useNavigate();
  const search = useDeferredValue(q);
  const author = mine ? me.account?.id : undefined;
  const lenses = usePaged(['lenses', search, author], (cursor) =>
    client.lenses.list({ q: search, author, limit: 50, cursor }),
  );
  return (
    <Page
      title={texts.lenses.title}
      actions={
        <Link className="button" to="/lenses/new">
          {texts.lenses.create}
        </Link>
      }
    >
      <div className="chips">
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={q ?? ''}
          onChange={(event) => {
            const typed = event.currentTarget.value;
            void navigate({ search: (before) => ({ ...before, q: typed || undefined }), replace: true });
          }}
        />
        <button
          type="button"
          className="chip"
          aria-pressed={mine === true}
          onClick={() =>
            void navigate({
              search: ({ mine: before, ...rest }) => (before ? rest : { ...rest, mine: true }),
              replace: true,
            })
          }
        >
          {texts.lenses.mine}
        </button>
      </div>
      <div className="panel scroll">
        <PagedList paged={lenses} none={texts.lenses.none}>
          {(items) => (
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">{texts.name}</th>
                  <th scope="col">{texts.lenses.versions}</th>
                  <th scope="col">{texts.status}</th>
                  <th scope="col">{texts.created}</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ id, title, description, headVersion, visibility, createdAt, author }) => (
                  <tr key={id}>
                    <td>
                      <Link to="/lenses/$lensId" params={{ lensId: id }}>
                        {title}
                      </Link>{' '}
                      <span className="quiet">@{author.handle}</span>
                      <div className="quiet">{description}</div>
                    </td>
                    <td>{headVersion.semver}</td>
                    <td>
                      <Status value={visibility} />
                    </td>
                    <td>
                      <Time at={createdAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </PagedList>
      </div>
    </Page>
  );
}
