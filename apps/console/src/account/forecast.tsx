import { useQuery } from '@tanstack/react-query';
import { whole } from '../experiments/numbers';
import { useClient } from '../session/console';
import { accountTexts } from '../view-texts/account';
import { Chart } from '../ui/chart';
import { Loaded } from '../ui/states';

/** The cost of the last 30 days, and how long the balance lasts at its mean. */
export function Forecast() {
  const client = useClient();
  const forecast = useQuery({ queryKey: ['forecast'], queryFn: async () => client.credits.forecast() });
  return (
    <Loaded query={forecast}>
      {({ spent, perDay, daysLeft, days }) => (
        <>
          <h2>{accountTexts.forecast}</h2>
          <p>
            {spent} {accountTexts.spentIn30Days}, {perDay} {accountTexts.perDay}.{' '}
            {daysLeft === null ? accountTexts.noSpending : `${accountTexts.lasts} ${daysLeft} ${accountTexts.daysLeft}`}
          </p>
          <p className="hidden">{days.map(({ day, credits }) => `${day}: ${credits}`).join(', ')}</p>
          <Chart
            name={accountTexts.creditsADay}
            value={String(perDay)}
            times={days.map(({ day }) => Date.parse(day))}
            bucketMs={86_400_000}
            nameTime={(at) => new Date(at).toISOString().slice(0, 10)}
            tell={(at) => String(days[at]?.credits ?? '')}
            write={whole}
            lines={[{ shape: 'bars', colour: 'accent', values: days.map(({ credits }) => credits) }]}
          />
        </>
      )}
    </Loaded>
  );
}
