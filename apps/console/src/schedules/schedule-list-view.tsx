import { Link } from '@tanstack/react-router';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { schedulesTexts } from '../view-texts/schedules';
import { operatorTexts } from '../view-texts/operator';
import { DataTable, type TableColumn } from '../ui/data-table';
import { DialogButton } from '../ui/dialog-button';
import { Page } from '../ui/page';
import { usePaged } from '../ui/paged';
import { PagedList } from '../ui/paged-list';
import { Status } from '../ui/status';
import { Suspension } from '../ui/suspension';
import { Time } from '../ui/time';
import { PauseSchedule } from '../workflows/pause-schedule';

const refreshMs = 10_000;
const { columns } = schedulesTexts;

/** The schedules of all workflows: when each runs next, how it went last, and its past ticks. */
export default function ScheduleListView() {
  const client = useClient();
  const schedules = usePaged(['schedules'], (cursor) => client.schedules.list({ limit: 50, cursor }), refreshMs);
  return (
    <Page title={schedulesTexts.title}>
      <section className="panel scroll">
        <PagedList paged={schedules} none={schedulesTexts.none}>
          {(items) => (
            <DataTable
              items={items}
              getKey={({ id }) => id}
              columns={[
                { name: columns.name, isHead: true, show: (schedule) => <Name schedule={schedule} /> },
                { name: columns.next, isNamed: true, show: (schedule) => <Next schedule={schedule} /> },
                {
                  name: columns.last,
                  isNamed: true,
                  show: ({ lastTick }) => (lastTick ? <Tick tick={lastTick} /> : '–'),
                },
                {
                  name: columns.actions,
                  show: (schedule) => (
                    <div className="row">
                      <PauseSchedule schedule={schedule} onChanged={async () => schedules.retry()} />
                      <DialogButton name={schedulesTexts.historyFor(schedule.title)} text={schedulesTexts.history}>
                        {() => <Ticks scheduleId={schedule.id} />}
                      </DialogButton>
                    </div>
                  ),
                },
              ]}
            />
          )}
        </PagedList>
        {schedules.items.length === 0 && !schedules.isLoading && <p className="quiet">{schedulesTexts.noneHint}</p>}
      </section>
    </Page>
  );
}

const Name = ({
  schedule: { title, workflowId, workflowTitle, cron, timeZone },
}: {
  schedule: shapes.ScheduleItem;
}) => (
  <>
    <Link to="/workflows/$workflowId" params={{ workflowId }}>
      {title}
    </Link>
    <div className="quiet">
      {workflowTitle} · <code>{cron}</code> {timeZone}
    </div>
  </>
);

const Next = ({ schedule: { enabled, nextAt, pausedReason, suspendedReason } }: { schedule: shapes.ScheduleItem }) => (
  <>
    {enabled ? <Time at={nextAt} /> : <Status value={operatorTexts.paused} />} {pausedReason}{' '}
    <Suspension reason={suspendedReason} />
  </>
);

const Tick = ({ tick: { tickAt, outcome, reason, runId } }: { tick: shapes.ScheduleTickItem }) => (
  <>
    <Status value={outcome} /> <Time at={tickAt} />{' '}
    {runId !== null && (
      <Link to="/runs/$runId" params={{ runId }}>
        {texts.runs.run} {runId.slice(-12)}
      </Link>
    )}
    {reason !== null && <div className="quiet">{reason}</div>}
  </>
);

const tickColumns: readonly TableColumn<shapes.ScheduleTickItem>[] = [
  { name: columns.last, isHead: true, show: (tick) => <Tick tick={tick} /> },
];

function Ticks({ scheduleId }: { scheduleId: string }) {
  const client = useClient();
  const ticks = usePaged(['schedule', scheduleId, 'ticks'], (cursor) =>
    client.schedules.listTicks(scheduleId, { limit: 20, cursor }),
  );
  return (
    <PagedList paged={ticks} none={schedulesTexts.noTicks}>
      {(items) => <DataTable items={items} getKey={({ tickAt }) => tickAt} columns={tickColumns} />}
    </PagedList>
  );
}
