import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { Action } from '../ui/action';
import { Form, fieldOf } from '../ui/form';
import { Time } from '../ui/time';
import { parseJson } from './json-text';

/** The schedules of a workflow with their next times, and a form for a new one. */
export function Schedules({ workflow }: { workflow: shapes.WorkflowRecord }) {
  const { client } = useConsole();
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ['workflow', workflow.id] });
  const create = async (values: FormData): Promise<void> => {
    const timeZone = fieldOf(values, 'timeZone');
    await client.workflows.createSchedule(workflow.id, {
      title: fieldOf(values, 'title'),
      cron: fieldOf(values, 'cron'),
      ...(timeZone !== '' && { timeZone }),
      inputs: parseJson(fieldOf(values, 'inputs')) as Record<string, unknown>,
    });
    await reload();
  };
  return (
    <>
      <h2>{texts.workflows.schedules}</h2>
      {workflow.schedules.map((schedule) => (
        <Schedule key={schedule.id} schedule={schedule} onChanged={reload} />
      ))}
      <details>
        <summary>{texts.workflows.newSchedule}</summary>
        <Form onSend={create} action={texts.create} clears>
          <label>
            {texts.name}
            <input name="title" />
          </label>
          <label>
            {texts.workflows.cron}
            <input name="cron" required placeholder="0 7 * * 1-5" />
          </label>
          <label>
            {texts.workflows.timeZone}
            <input name="timeZone" defaultValue={Intl.DateTimeFormat().resolvedOptions().timeZone} />
          </label>
          <label>
            {texts.workflows.inputs}
            <textarea className="code" name="inputs" rows={3} defaultValue="{}" />
          </label>
        </Form>
      </details>
    </>
  );
}

function Schedule({ schedule, onChanged }: { schedule: shapes.ScheduleRecord; onChanged: () => Promise<void> }) {
  const { client } = useConsole();
  const { id, title, cron, timeZone, enabled, updatedAt } = schedule;
  const { data: next = [] } = useQuery({
    queryKey: ['schedule', id, updatedAt],
    queryFn: async () => (await client.schedules.preview(id)).at,
    enabled,
  });
  const toggle = async (): Promise<void> => {
    await client.schedules.update(id, { enabled: !enabled });
    await onChanged();
  };
  return (
    <div>
      <p>
        {title} <code>{cron}</code> <span className="quiet">{timeZone}</span>{' '}
        {next.slice(0, 3).map((at) => (
          <span key={at} className="status plain">
            <Time at={at} />
          </span>
        ))}
      </p>
      <Action onAct={toggle}>{enabled ? texts.webhooks.disable : texts.webhooks.enable}</Action>
    </div>
  );
}
