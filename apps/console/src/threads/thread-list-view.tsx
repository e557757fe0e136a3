import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { threadsTexts } from '../view-texts/threads';
import type { shapes } from '@lensforge/sdk';
import { Chips } from '../ui/chips';
import { Form, readField } from '../ui/form';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Time } from '../ui/time';
import { useState } from 'react';
import { SubjectLink, subjectTypes } from './subject';
import { DataTable } from '../ui/data-table';
import { Field, SelectField } from '../ui/field';

const route = getRouteApi('/threads');
const statuses = ['open', 'closed'] as const;
const visibilities = ['private', 'community', 'public'] as const;

/** The threads about a thing, or those that stand alone, with a form for a new one. */
export default function ThreadListView() {
  const { client } = useConsole();
  const navigate = useNavigate();
  const { about, id } = route.useSearch();
  const [status, setStatus] = useState<(typeof statuses)[number]>();
  const subjectType = subjectTypes.find((each) => each === about);
  const subject = subjectType !== undefined && id !== undefined ? { subjectType, subjectId: id } : {};
  const threads = usePaged(['threads', subject, status], (cursor) =>
    client.threads.list({ limit: 50, cursor, status, ...subject }),
  );
  const isAbout = subject.subjectType !== undefined;
  const create = async (values: FormData): Promise<void> => {
    const visibility = visibilities.find((each) => each === readField(values, 'visibility'));
    const { id: threadId } = await client.threads.create({
      title: readField(values, 'title'),
      ...(isAbout ? subject : { visibility }),
    });
    await navigate({ to: '/threads/$threadId', params: { threadId } });
  };
  return (
    <Page
      title={threadsTexts.title}
      above={isAbout && <SubjectLink type={subject.subjectType} id={subject.subjectId} />}
      actions={isAbout && <Link to="/threads">{threadsTexts.withoutSubject}</Link>}
    >
      <div className="chips">
        <Chips label={texts.status} all={threadsTexts.all} options={statuses} value={status} onChange={setStatus} />
      </div>
      <section className="panel scroll">
        <PagedList paged={threads} none={threadsTexts.none}>
          {(items) => <ThreadTable threads={items} />}
        </PagedList>
      </section>
      <section className="panel">
        <h2>{threadsTexts.create}</h2>
        <Form onSend={create} action={texts.create}>
          <div className="columns">
            <Field label={texts.name} name="title" required maxLength={200} />
            {!isAbout && (
              <SelectField label={threadsTexts.visibility} name="visibility">
                {visibilities.map((each) => (
                  <option key={each} value={each}>
                    {threadsTexts.visibilities[each]}
                  </option>
                ))}
              </SelectField>
            )}
          </div>
        </Form>
      </section>
    </Page>
  );
}

const ThreadTable = ({ threads }: { threads: readonly shapes.Thread[] }) => (
  <DataTable
    items={threads}
    getKey={({ id }) => id}
    columns={[
      {
        name: threadsTexts.columns.title,
        show: ({ id, title, owner, visibility }) => (
          <>
            <Link to="/threads/$threadId" params={{ threadId: id }}>
              {title}
            </Link>
            <div className="quiet">
              @{owner.handle} · {threadsTexts.visibilities[visibility]}
            </div>
          </>
        ),
      },
      { name: threadsTexts.columns.messages, isNamed: true, show: ({ messageCount }) => messageCount },
      { name: threadsTexts.columns.status, show: ({ status }) => <Status value={status} /> },
      {
        name: threadsTexts.columns.last,
        show: ({ lastMessageAt, createdAt }) => <Time at={lastMessageAt ?? createdAt} />,
      },
    ]}
  />
);
