import { useQuery } from '@tanstack/react-query';
import { computeBars } from '../runs/chart-series';
import { Bars, Chart } from '../runs/run-charts';
import { useClient } from '../session/console';
import { accountTexts } from '../view-texts/account';
import { Loaded } from '../ui/states';

/** The cost of the last 30 days, and how long the balance lasts at its mean. */
export function Forecast() {
  const client = useClient();
  const forecast = useQuery({ queryKey: ['forecast'], queryFn: async () => client.credits.forecast() });
  return (
    <Loaded query={forecast}>
      {({ spent, perDay, daysLeft, days }) => {
        const credits = days.map((each) => each.credits);
        const most = Math.max(1, ...credits);
        return (
          <>
            <h2>{accountTexts.forecast}</h2>
            <p>
              {spent} {accountTexts.spentIn30Days}, {perDay} {accountTexts.perDay}.{' '}
              {daysLeft === null
                ? accountTexts.noSpending
                : `${accountTexts.lasts} ${daysLeft} ${accountTexts.daysLeft}`}
            </p>
            <p className="hidden">{days.map(({ day, credits: ofDay }) => `${day}: ${ofDay}`).join(', ')}</p>
            <Chart
              name={accountTexts.creditsADay}
              value={String(perDay)}
              axis={[days[0]?.day ?? '', days.at(-1)?.day ?? '']}
              highest={most.toLocaleString('en')}
              points={days.map(({ day, credits: ofDay }) => ({ at: day, value: String(ofDay) }))}
            >
              <Bars bars={computeBars(credits, most)} />
            </Chart>
          </>
        );
      }}
    </Loaded>
  );
}
