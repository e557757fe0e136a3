import { Link, getRouteApi } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useDeferredValue } from 'react';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { lensesTexts } from '../view-texts/lenses';
import { Chips } from '../ui/chips';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { type LensFilters, pickOption, sorts, statuses, visibilities } from './lens-filters';
import { DataTable } from '../ui/data-table';

const route = getRouteApi('/lenses');

/** The library of lenses that the person may see, filtered by the address. */
export default function LensListView() {
  const { client, me } = useConsole();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { mine, ...filters } = useDeferredValue(search);
  const author = mine ? me.account?.id : undefined;
  const lenses = usePaged(['lenses', filters, author], (cursor) =>
    client.lenses.list({ ...filters, author, limit: 50, cursor }),
  );
  const filter = (change: LensFilters): void =>
    void navigate({
      // Absent members stay out of the address.
      search: (before) => {
        const changed = Object.entries({ ...before, ...change });
        return Object.fromEntries(changed.filter(([, value]) => value !== undefined && value !== ''));
      },
      replace: true,
    });
  return (
    <Page
      title={lensesTexts.title}
      actions={
        <Link className="button" to="/lenses/new">
          {lensesTexts.create}
        </Link>
      }
    >
      <div className="chips">
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={search.q ?? ''}
          onChange={(event) => filter({ q: event.currentTarget.value })}
        />
        <button
          type="button"
          className="chip"
          aria-pressed={mine === true}
          onClick={() => filter({ mine: mine ? undefined : true })}
        >
          {lensesTexts.mine}
        </button>
        <Select
          label={lensesTexts.visibility}
          value={search.visibility}
          options={visibilities}
          none={lensesTexts.anyVisibility}
          onChange={(visibility) => filter({ visibility })}
        />
        <Select
          label={lensesTexts.sort}
          value={search.sort}
          options={sorts}
          none={lensesTexts.usualSort}
          onChange={(sort) => filter({ sort })}
        />
        {search.tag !== undefined && (
          <button type="button" className="chip" aria-pressed onClick={() => filter({ tag: undefined })}>
            {lensesTexts.tag}: {search.tag} ×
          </button>
        )}
      </div>
      <div className="chips">
        <Chips
          label={texts.status}
          all={lensesTexts.usualStatus}
          options={statuses}
          value={search.status}
          onChange={(status) => filter({ status })}
        />
      </div>
      <div className="panel scroll">
        <PagedList paged={lenses} none={lensesTexts.none}>
          {(items) => <LensTable lenses={items} onTag={(tag) => filter({ tag })} />}
        </PagedList>
      </div>
    </Page>
  );
}

interface TableProps {
  lenses: readonly shapes.LensItem[];
  onTag: (tag: string) => void;
}

const LensTable = ({ lenses, onTag }: TableProps) => (
  <DataTable
    items={lenses}
    getKey={({ id }) => id}
    columns={[
      {
        name: texts.name,
        show: ({ id, title, description, author, tags }) => (
          <>
            <Link to="/lenses/$lensId" params={{ lensId: id }}>
              {title}
            </Link>{' '}
            <span className="quiet">@{author.handle}</span>
            <div className="quiet">{description}</div>
            {tags.length > 0 && (
              <div className="row lens-tags">
                {tags.map((tag) => (
                  <button key={tag} type="button" className="chip" onClick={() => onTag(tag)}>
                    {tag}
                  </button>
                ))}
              </div>
            )}
          </>
        ),
      },
      { name: lensesTexts.newest, isNamed: true, show: ({ headVersion }) => headVersion.semver },
      {
        name: texts.status,
        show: ({ visibility, status }) => (
          <>
            <Status value={visibility} /> {status !== 'published' && <Status value={status} />}
          </>
        ),
      },
      { name: texts.created, show: ({ createdAt }) => <Time at={createdAt} /> },
    ]}
  />
);

interface SelectProps<T extends string> {
  label: string;
  none: string;
  options: readonly T[];
  value: T | undefined;
  onChange: (value: T | undefined) => void;
}

const Select = <T extends string>({ label, none, options, value, onChange }: SelectProps<T>) => (
  <select
    aria-label={label}
    value={value ?? ''}
    onChange={(event) => onChange(pickOption(options, event.currentTarget.value))}
  >
    <option value="">{none}</option>
    {options.map((each) => (
      <option key={each}>{each}</option>
    ))}
  </select>
);
