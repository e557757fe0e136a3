import { Link } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { runsTexts } from '../view-texts/runs';
import { ConfirmedAction } from '../ui/confirmed-action';
import { AddToDataset } from './add-to-dataset';
import { AddToReview } from './add-to-review';

interface Props {
  runs: readonly shapes.RunItem[];
  onClear: () => void;
}

const words = runsTexts.selected;
const retryable: readonly string[] = ['failed', 'timed_out', 'canceled'];
const hasCase = ({ kind }: shapes.RunItem): boolean => kind === 'lens' || kind === 'workflow';
const cancelable: readonly string[] = ['queued', 'running'];

/** The actions for the runs that are chosen in the list. */
export function SelectedRuns({ runs, onClear }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const [first, second, third] = runs;
  const ended = runs.filter(({ status }) => retryable.includes(status));
  const open = runs.filter(({ status }) => cancelable.includes(status));
  const act = async (some: readonly shapes.RunItem[], action: (id: string) => PromiseLike<unknown>): Promise<void> => {
    for (const { id } of some) await action(id);
    onClear();
    await queries.invalidateQueries({ queryKey: ['runs'] });
  };
  const withCases = runs.filter(hasCase).map(({ id }) => id);
  if (!first) return null;
  return (
    <div className="row">
      <span role="status">{words.count(runs.length)}</span>
      {second && !third && (
        <Link className="button" to="/runs/compare" search={{ a: first.id, b: second.id }}>
          {texts.runs.compare.two}
        </Link>
      )}
      {ended.length > 0 && (
        <ConfirmedAction
          question={words.retryQuestion(ended.length)}
          onAct={() => act(ended, (id) => client.runs.retry(id))}
        >
          {words.retry(ended.length)}
        </ConfirmedAction>
      )}
      {open.length > 0 && (
        <ConfirmedAction
          question={words.cancelQuestion(open.length)}
          onAct={() => act(open, (id) => client.runs.cancel(id))}
        >
          {words.cancel(open.length)}
        </ConfirmedAction>
      )}
      {withCases.length > 0 && (
        <>
          <AddToDataset runIds={withCases} />
          <AddToReview runIds={withCases} />
        </>
      )}
      <button type="button" onClick={onClear}>
        {words.clear}
      </button>
    </div>
  );
}
