import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient } from '../session/console';
import { accountTexts } from '../view-texts/account';
import { Empty, Loaded } from '../ui/states';
import { Time } from '../ui/time';
import { Forecast } from './forecast';
import { Sponsorships } from './sponsorships';

/** The balance of the account and the newest entries of its ledger. */
export function CreditLedger() {
  const client = useClient();
  const credits = useQuery({ queryKey: ['credits'], queryFn: async () => client.credits.get({ limit: 100 }) });
  return (
    <Loaded query={credits}>
      {({ available, held, entries }) => (
        <>
          <div className="figures">
            <div className="figure">
              {accountTexts.available} <strong>{available}</strong>
            </div>
            <div className="figure">
              {accountTexts.held} <strong>{held}</strong>
            </div>
          </div>
          <Forecast />
          <Sponsorships />
          <h2>{accountTexts.entries}</h2>
          {entries.length === 0 ? (
            <Empty title={accountTexts.noEntries} />
          ) : (
            <table className="table">
              <tbody>
                {entries.map(({ id, kind, amount, runId, note, createdAt }) => (
                  <tr key={id}>
                    <td>{kind}</td>
                    <td className="number">{amount}</td>
                    <td>
                      {runId ? (
                        <Link to="/runs/$runId" params={{ runId }}>
                          {runId.slice(-12)}
                        </Link>
                      ) : (
                        note
                      )}
                    </td>
                    <td>
                      <Time at={createdAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
    </Loaded>
  );
}
