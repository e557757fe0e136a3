import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/console';
import { DialogButton } from '../ui/dialog-button';
import { SelectField } from '../ui/field';
import { Form, readField } from '../ui/form';
import { Loaded } from '../ui/states';
import { reviewsTexts } from '../view-texts/reviews';
import { runsTexts } from '../view-texts/runs';

const words = runsTexts.toReview;

/** Puts the answers of runs into a queue, in which people score them. */
export const AddToReview = ({ runIds }: { runIds: readonly string[] }) => (
  <DialogButton name={words.add}>{() => <QueueForm runIds={runIds} />}</DialogButton>
);

function QueueForm({ runIds }: { runIds: readonly string[] }) {
  const client = useClient();
  const queues = useQuery({
    queryKey: ['review-queues', 'own'],
    queryFn: async () => (await client.reviewQueues.list({ limit: 100 })).items.filter(({ isOwn }) => isOwn),
  });
  const [done, setDone] = useState<{ queueId: string; added: number }>();
  const add = async (values: FormData): Promise<void> => {
    const queueId = readField(values, 'queue');
    setDone({ queueId, added: (await client.reviewQueues.addItems(queueId, { runIds: [...runIds] })).added });
  };
  if (done) {
    return (
      <p role="status">
        {reviewsTexts.added(done.added)}{' '}
        <Link to="/reviews/$queueId" params={{ queueId: done.queueId }}>
          {words.open}
        </Link>
      </p>
    );
  }
  return (
    <Loaded query={queues}>
      {(found) =>
        found.length === 0 ? (
          <p>
            {words.none} <Link to="/reviews">{words.make}</Link>
          </p>
        ) : (
          <Form onSend={add} action={words.add}>
            <SelectField label={words.queue} name="queue">
              {found.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          </Form>
        )
      }
    </Loaded>
  );
}
