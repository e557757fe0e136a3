import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { accountTexts } from '../view-texts/account';
import { LensSelect } from '../ui/lens-select';
import { Action } from '../ui/action';
import { Form, readField } from '../ui/form';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Field, SelectField } from '../ui/field';

/** The pools with which the account pays for runs of others with its lenses. */
export function Sponsorships() {
  const { client, me } = useConsole();
  const queries = useQueryClient();
  const pools = usePaged(['sponsorships'], (cursor) => client.credits.listSponsorships({ limit: 50, cursor }));
  const set = async (lensId: string, pool: shapes.SponsorshipRequest): Promise<void> => {
    await client.lenses.setSponsorship(lensId, pool);
    await queries.invalidateQueries({ queryKey: ['sponsorships'] });
  };
  const open = (values: FormData): Promise<void> => set(readField(values, 'lens'), readPool(values));
  return (
    <>
      <h2>{accountTexts.sponsorships}</h2>
      <p className="quiet">{accountTexts.sponsorshipsHint}</p>
      <PagedList paged={pools} none={accountTexts.noSponsorships}>
        {(items) =>
          items.map(({ lensId, lensTitle, held: _held, updatedAt: _updatedAt, spent, models, ...pool }) => (
            <details key={lensId}>
              <summary>
                {lensTitle} <Status value={pool.enabled ? 'open' : 'closed'} />{' '}
                <span className="quiet">
                  {spent} / {pool.credits} {accountTexts.periods[pool.period]}
                </span>
              </summary>
              <p>
                <Link to="/lenses/$lensId" params={{ lensId }}>
                  {accountTexts.openLens}
                </Link>
              </p>
              {/* A pool that was changed elsewhere shows its new values. */}
              <Form
                key={JSON.stringify(pool)}
                action={texts.save}
                done={texts.saved}
                onSend={(values) =>
                  set(lensId, { ...readPool(values), ...(models && { models }), enabled: pool.enabled })
                }
              >
                <PoolFields pool={pool} />
              </Form>
              <Action
                className={pool.enabled ? 'danger' : ''}
                onAct={() => set(lensId, { ...pool, ...(models && { models }), enabled: !pool.enabled })}
              >
                {pool.enabled ? accountTexts.closePool : accountTexts.reopenPool}
              </Action>
            </details>
          ))
        }
      </PagedList>
      <details>
        <summary>{accountTexts.newPool}</summary>
        <Form onSend={open} action={accountTexts.openPool}>
          <LensSelect label={accountTexts.lens} author={me.account?.id} />
          <PoolFields pool={{ credits: 1000, period: 'month', maxCreditsPerRun: 50, maxCreditsPerCallerPerDay: 200 }} />
        </Form>
      </details>
    </>
  );
}

type Limits = Pick<shapes.Sponsorship, 'credits' | 'period' | 'maxCreditsPerRun' | 'maxCreditsPerCallerPerDay'>;

const readPool = (values: FormData): Limits => ({
  credits: Number(readField(values, 'credits')),
  period: readField(values, 'period') === 'total' ? 'total' : 'month',
  maxCreditsPerRun: Number(readField(values, 'maxCreditsPerRun')),
  maxCreditsPerCallerPerDay: Number(readField(values, 'maxCreditsPerCallerPerDay')),
});

const PoolFields = ({ pool: { credits, period, maxCreditsPerRun, maxCreditsPerCallerPerDay } }: { pool: Limits }) => (
  <div className="columns">
    <Field label={accountTexts.poolCredits} name="credits" type="number" required min={0} defaultValue={credits} />
    <SelectField label={accountTexts.creditPeriod} name="period" defaultValue={period}>
      <option value="month">{accountTexts.periods.month}</option>
      <option value="total">{accountTexts.periods.total}</option>
    </SelectField>
    <Field
      label={accountTexts.perRun}
      name="maxCreditsPerRun"
      type="number"
      required
      min={1}
      defaultValue={maxCreditsPerRun}
    />
    <Field
      label={accountTexts.perCaller}
      name="maxCreditsPerCallerPerDay"
      type="number"
      required
      min={1}
      defaultValue={maxCreditsPerCallerPerDay}
    />
  </div>
);
