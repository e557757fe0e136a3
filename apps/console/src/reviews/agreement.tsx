import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { percent } from '../experiments/numbers';
import { useClient } from '../session/console';
import { Loaded } from '../ui/states';
import { reviewsTexts } from '../view-texts/reviews';
import { DataTable } from '../ui/data-table';

const rounded = (value: number | null): string => (value === null ? reviewsTexts.tooFew : value.toFixed(2));

/** How far people agree with each other and with a judge, and where the judge fails. */
export function Agreement({ queueId }: { queueId: string }) {
  const client = useClient();
  const agreement = useQuery({
    queryKey: ['review-agreement', queueId],
    queryFn: async () => client.reviewQueues.getAgreement(queueId),
  });
  return (
    <section className="panel">
      <h2>{reviewsTexts.results}</h2>
      <Loaded query={agreement}>
        {({ alpha, tied, judge }) => (
          <>
            <table className="table stacks">
              <tbody>
                {[
                  [reviewsTexts.alpha, rounded(alpha)],
                  [reviewsTexts.tied, String(tied)],
                  ...(judge ? rowsOf(judge) : []),
                ].map(([name, value]) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{value}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {judge && judge.disagreements.length > 0 && <Disagreements judge={judge} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

const rowsOf = ({ name, sameVerdict, alpha, bias }: shapes.JudgeAgreement): [string, string][] => [
  [reviewsTexts.judge(name), sameVerdict === null ? reviewsTexts.tooFew : percent(sameVerdict)],
  [reviewsTexts.judgeAlpha(name), rounded(alpha)],
  [reviewsTexts.bias(name), rounded(bias)],
];

const Disagreements = ({ judge: { disagreements } }: { judge: shapes.JudgeAgreement }) => (
  <>
    <h3>{reviewsTexts.disagreements}</h3>
    <DataTable
      items={disagreements}
      getKey={({ itemId }) => itemId}
      columns={[
        {
          name: reviewsTexts.columns.run,
          isHead: true,
          className: 'word',
          show: ({ runId }) => (
            <Link to="/runs/$runId" params={{ runId }}>
              {runId.slice(-12)}
            </Link>
          ),
        },
        {
          name: reviewsTexts.columns.people,
          className: 'word',
          sortBy: ({ people }) => people,
          show: ({ people }) => percent(people),
        },
        {
          name: reviewsTexts.columns.judge,
          className: 'word',
          sortBy: ({ judge }) => judge,
          show: ({ judge }) => percent(judge),
        },
        { name: reviewsTexts.columns.reason, show: ({ reason }) => reason ?? '–' },
      ]}
    />
  </>
);
