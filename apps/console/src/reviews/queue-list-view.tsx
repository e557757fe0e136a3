import { Link, useNavigate } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Form, readField } from '../ui/form';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Time } from '../ui/time';
import { reviewsTexts } from '../view-texts/reviews';
import { DataTable } from '../ui/data-table';
import { Field, SelectField, TextField } from '../ui/field';

/** The review queues of the person, and those that the person reviews. */
export default function QueueListView() {
  const client = useClient();
  const navigate = useNavigate();
  const queues = usePaged(['review-queues'], (cursor) => client.reviewQueues.list({ limit: 50, cursor }));
  const create = async (values: FormData): Promise<void> => {
    const reviewers = readField(values, 'reviewers')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const [instructions, compareWith] = [readField(values, 'instructions'), readField(values, 'compareWith')];
    const { id } = await client.reviewQueues.create({
      name: readField(values, 'name'),
      scale: readField(values, 'scale') === 'marks' ? 'marks' : 'verdict',
      ...(reviewers.length > 0 && { reviewers, perItem: Number(readField(values, 'perItem')) }),
      ...(instructions !== '' && { instructions }),
      ...(compareWith !== '' && { compareWith }),
    });
    await navigate({ to: '/reviews/$queueId', params: { queueId: id } });
  };
  return (
    <Page title={reviewsTexts.title}>
      <section className="panel scroll">
        <PagedList paged={queues} none={reviewsTexts.none}>
          {(items) => (
            <DataTable
              items={items}
              getKey={({ id }) => id}
              columns={[
                {
                  name: reviewsTexts.queueColumns.name,
                  show: ({ id, name, items: all, done }) => (
                    <>
                      <Link to="/reviews/$queueId" params={{ queueId: id }}>
                        {name}
                      </Link>
                      <div className="quiet">{reviewsTexts.progress(done, all)}</div>
                    </>
                  ),
                },
                {
                  name: reviewsTexts.queueColumns.waiting,
                  show: ({ canReview, waiting }) => canReview && reviewsTexts.waiting(waiting),
                },
                { name: reviewsTexts.queueColumns.created, show: ({ createdAt }) => <Time at={createdAt} /> },
              ]}
            />
          )}
        </PagedList>
        {queues.items.length === 0 && !queues.isLoading && <p className="quiet">{reviewsTexts.noneHint}</p>}
      </section>
      <section className="panel">
        <h2>{reviewsTexts.newQueue}</h2>
        <Form onSend={create} action={texts.create}>
          <div className="columns">
            <Field label={reviewsTexts.name} name="name" required maxLength={100} />
            <SelectField label={reviewsTexts.scale} name="scale">
              {(['verdict', 'marks'] as const).map((each) => (
                <option key={each} value={each}>
                  {reviewsTexts.scales[each]}
                </option>
              ))}
            </SelectField>
            <Field label={reviewsTexts.reviewers} name="reviewers" placeholder="bob, carol" />
            <Field label={reviewsTexts.perItem} name="perItem" type="number" min="1" max="2" defaultValue="1" />
            <Field label={reviewsTexts.compareWith} name="compareWith" maxLength={100} />
          </div>
          <TextField label={reviewsTexts.instructions} name="instructions" rows={2} maxLength={5000} />
        </Form>
      </section>
    </Page>
  );
}
