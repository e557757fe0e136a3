import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi, useNavigate } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Page } from '../ui/page';
import { Loaded } from '../ui/states';
import { reviewsTexts } from '../view-texts/reviews';
import { Agreement } from './agreement';
import { QueueItems } from './queue-items';
import { ReviewNext } from './review-next';

const route = getRouteApi('/reviews/$queueId');

/** A review queue: the next answer for those who review, and agreement and answers for its owner. */
export default function QueueView() {
  const { queueId } = route.useParams();
  const client = useClient();
  const queue = useQuery({
    queryKey: ['review-queue', queueId],
    queryFn: async () => client.reviewQueues.get(queueId),
  });
  return (
    <Page
      title={queue.data?.name ?? reviewsTexts.title}
      above={<Link to="/reviews">{reviewsTexts.title}</Link>}
      actions={queue.data?.isOwn && <Remove queue={queue.data} />}
    >
      <Loaded query={queue}>
        {(found) => (
          <>
            {found.instructions !== null && <p>{found.instructions}</p>}
            <p className="quiet">{reviewsTexts.progress(found.done, found.items)}</p>
            {found.canReview && <ReviewNext queue={found} />}
            {found.isOwn && <Agreement queueId={queueId} />}
            {found.isOwn && <QueueItems queueId={queueId} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Remove({ queue: { id, name } }: { queue: shapes.ReviewQueue }) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await client.reviewQueues.remove(id);
    await queries.invalidateQueries({ queryKey: ['review-queues'] });
    await navigate({ to: '/reviews' });
  };
  return (
    <ConfirmedAction question={reviewsTexts.remove(name)} onAct={remove}>
      {texts.remove}
    </ConfirmedAction>
  );
}
