import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { percent } from '../experiments/numbers';
import { useClient } from '../session/console';
import { LensSelect } from '../ui/lens-select';
import { DatasetSelect, useNewestDataset } from '../ui/dataset-select';
import { Form, readField } from '../ui/form';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { reviewsTexts } from '../view-texts/reviews';
import { DataTable } from '../ui/data-table';
import { Field } from '../ui/field';

/** The answers of a queue, as its owner sees them, with forms that add runs and make cases. */
export function QueueItems({ queueId }: { queueId: string }) {
  const client = useClient();
  const items = usePaged(['review-items', queueId], (cursor) =>
    client.reviewQueues.listItems(queueId, { limit: 50, cursor }),
  );
  return (
    <section className="panel">
      <h2>{reviewsTexts.items}</h2>
      <PagedList paged={items} none={reviewsTexts.nothing}>
        {(found) => (
          <DataTable
            items={found}
            getKey={({ id }) => id}
            columns={[
              {
                name: reviewsTexts.itemColumns.run,
                isHead: true,
                show: ({ runId }) => (
                  <Link to="/runs/$runId" params={{ runId }}>
                    {runId.slice(-12)}
                  </Link>
                ),
              },
              { name: reviewsTexts.itemColumns.state, show: ({ state }) => reviewsTexts.states[state] },
              { name: reviewsTexts.itemColumns.reviews, isNamed: true, show: ({ reviews }) => reviews },
              {
                name: reviewsTexts.itemColumns.score,
                isNamed: true,
                show: ({ score }) => (score === null ? '–' : percent(score)),
              },
              {
                name: reviewsTexts.itemColumns.comments,
                show: ({ comments }) => (comments.length === 0 ? '–' : comments.join(' · ')),
              },
              { name: reviewsTexts.itemColumns.corrected, show: ({ corrected }) => corrected ?? '–' },
            ]}
          />
        )}
      </PagedList>
      <AddRuns queueId={queueId} />
      <ToDataset queueId={queueId} />
    </section>
  );
}

function AddRuns({ queueId }: { queueId: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const [added, setAdded] = useState<number>();
  const add = async (values: FormData): Promise<void> => {
    const [name, max] = [readField(values, 'score'), readField(values, 'max')];
    const filter = {
      lensId: readField(values, 'lens'),
      limit: Number(readField(values, 'limit')),
      ...(name !== '' && { score: { name, max: Number(max) } }),
    };
    setAdded((await client.reviewQueues.addItems(queueId, { filter })).added);
    await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('review') });
  };
  return (
    <details>
      <summary>{reviewsTexts.addRuns}</summary>
      <Form onSend={add} action={reviewsTexts.addRuns}>
        <div className="columns">
          <LensSelect label={reviewsTexts.lens} />
          <Field label={reviewsTexts.scoreName} name="score" maxLength={100} />
          <Field label={reviewsTexts.scoreMax} name="max" type="number" min="0" max="1" step="any" defaultValue="0.5" />
          <Field label={reviewsTexts.most} name="limit" type="number" min="1" max="1000" defaultValue="50" required />
        </div>
      </Form>
      {added !== undefined && <p role="status">{reviewsTexts.added(added)}</p>}
    </details>
  );
}

/** Makes cases of the answers that reviewers have corrected. */
function ToDataset({ queueId }: { queueId: string }) {
  const client = useClient();
  const [made, setMade] = useState<{ added: number; changed: number }>();
  const newest = useNewestDataset();
  if (newest === undefined) return null;
  const send = async (values: FormData): Promise<void> =>
    setMade(
      await client.reviewQueues.addCasesFromReviews(queueId, {
        datasetId: readField(values, 'dataset'),
        mask: values.has('mask'),
      }),
    );
  return (
    <details>
      <summary>{reviewsTexts.toDataset}</summary>
      <Form onSend={send} action={reviewsTexts.toDataset}>
        <DatasetSelect label={reviewsTexts.dataset} newest={newest} />
        <label className="check">
          <input type="checkbox" name="mask" /> {reviewsTexts.mask}
        </label>
      </Form>
      {made && <p role="status">{reviewsTexts.cases(made.added, made.changed)}</p>}
    </details>
  );
}
