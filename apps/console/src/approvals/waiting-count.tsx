import { texts } from '../texts';
import { useWaiting } from './use-waiting';

/** The number of approvals that wait for the person, in the navigation. */
export function WaitingCount() {
  const count = useWaiting().data?.count ?? 0;
  if (count === 0) return null;
  return (
    <span className="count" aria-label={texts.approvals.waiting(count)} role="img">
      {count}
    </span>
  );
}
