import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/console';
import { accountTexts } from '../view-texts/account';
import { Loaded } from '../ui/states';

const height = 60;
const width = 300;

/** The cost of the last 30 days, and how long the balance lasts at its mean. */
export function Forecast() {
  const client = useClient();
  const forecast = useQuery({ queryKey: ['forecast'], queryFn: async () => client.credits.forecast() });
  return (
    <Loaded query={forecast}>
      {({ spent, perDay, daysLeft, days }) => {
        const most = Math.max(1, ...days.map(({ credits }) => credits));
        const step = width / days.length;
        return (
          <>
            <h2>{accountTexts.forecast}</h2>
            <p>
              {spent} {accountTexts.spentIn30Days}, {perDay} {accountTexts.perDay}.{' '}
              {daysLeft === null
                ? accountTexts.noSpending
                : `${accountTexts.lasts} ${daysLeft} ${accountTexts.daysLeft}`}
            </p>
            <svg
              className="spending"
              viewBox={`0 0 ${width} ${height}`}
              role="img"
              aria-label={`${accountTexts.forecast}: ${days.map(({ day, credits }) => `${day} ${credits}`).join(', ')}`}
            >
              {days.map(({ day, credits }, at) => (
                <rect
                  key={day}
                  x={at * step + 1}
                  width={step - 2}
                  y={height - Math.max(1, (credits / most) * height)}
                  height={Math.max(1, (credits / most) * height)}
                >
                  <title>{`${day}: ${credits}`}</title>
                </rect>
              ))}
            </svg>
          </>
        );
      }}
    </Loaded>
  );
}
