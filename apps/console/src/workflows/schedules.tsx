import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { shapes } from '@lensforge/sdk';
import { useConsole } from '../session/console';
import { texts } from '../texts';
import { delegationsTexts } from '../view-texts/delegations';
import { operatorTexts } from '../view-texts/operator';
import { workflowsTexts } from '../view-texts/workflows';
import { ConfirmedAction } from '../ui/confirmed-action';
import { Form, readField } from '../ui/form';
import { Status } from '../ui/status';
import { Suspension } from '../ui/suspension';
import { parseJson } from './json-text';
import { PauseSchedule } from './pause-schedule';
import { Field, SelectField, TextField } from '../ui/field';

/** The schedules of a workflow with their next times, and a form for a new one. */
export function Schedules({ workflow }: { workflow: shapes.WorkflowRecord }) {
  const { client } = useConsole();
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ['workflow', workflow.id] });
  const create = async (values: FormData): Promise<void> => {
    await client.workflows.createSchedule(workflow.id, readSchedule(values));
    await reload();
  };
  return (
    <>
      <h2>{workflowsTexts.schedules}</h2>
      {workflow.schedules.map((schedule) => (
        <Schedule key={schedule.id} schedule={schedule} onChanged={reload} />
      ))}
      <details>
        <summary>{workflowsTexts.newSchedule}</summary>
        <Form onSend={create} action={texts.create} clears>
          <ScheduleFields />
        </Form>
      </details>
    </>
  );
}

/** The members of a schedule that its form has. */
function readSchedule(values: FormData) {
  const [title, timeZone] = [readField(values, 'title'), readField(values, 'timeZone')];
  return {
    ...(title !== '' && { title }),
    cron: readField(values, 'cron'),
    ...(timeZone !== '' && { timeZone }),
    inputs: parseJson(readField(values, 'inputs')) as Record<string, unknown>,
    overlap: readField(values, 'overlap') as shapes.ScheduleRecord['overlap'],
    missed: readField(values, 'missed') as shapes.ScheduleRecord['missed'],
  };
}

function ScheduleFields({ schedule }: { schedule?: shapes.ScheduleRecord }) {
  const zone = schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <Field label={texts.name} name="title" defaultValue={schedule?.title} />
      <Field label={workflowsTexts.cron} name="cron" required placeholder="0 7 * * 1-5" defaultValue={schedule?.cron} />
      <Field label={workflowsTexts.timeZone} name="timeZone" defaultValue={zone} />
      <TextField
        label={workflowsTexts.inputs}
        className="code"
        name="inputs"
        rows={3}
        defaultValue={JSON.stringify(schedule?.inputs ?? {}, null, 2)}
      />
      <SelectField label={workflowsTexts.overlap} name="overlap" defaultValue={schedule?.overlap ?? 'skip'}>
        {(['skip', 'queue', 'allow'] as const).map((each) => (
          <option key={each} value={each}>
            {workflowsTexts.overlaps[each]}
          </option>
        ))}
      </SelectField>
      <SelectField label={workflowsTexts.missed} name="missed" defaultValue={schedule?.missed ?? 'skip'}>
        {(['skip', 'run_once'] as const).map((each) => (
          <option key={each} value={each}>
            {workflowsTexts.missedTicks[each]}
          </option>
        ))}
      </SelectField>
    </>
  );
}

function Schedule({ schedule, onChanged }: { schedule: shapes.ScheduleRecord; onChanged: () => Promise<void> }) {
  const { client } = useConsole();
  const [isEdited, setEdited] = useState(false);
  const { id, title, cron, timeZone, enabled, pausedReason, suspendedReason, updatedAt } = schedule;
  const { data: next = [] } = useQuery({
    queryKey: ['schedule', id, updatedAt],
    queryFn: async () => (await client.schedules.preview(id)).at,
    enabled,
  });
  const save = async (values: FormData): Promise<void> => {
    await client.schedules.update(id, readSchedule(values));
    await onChanged();
    setEdited(false);
  };
  const takeOver = async (): Promise<void> => {
    await client.schedules.takeOver(id);
    await onChanged();
  };
  const remove = async (): Promise<void> => {
    await client.schedules.delete(id);
    await onChanged();
  };
  return (
    <article className="schedule" aria-label={title}>
      <p>
        <strong>{title}</strong> <code>{cron}</code> <span className="quiet">{timeZone}</span>{' '}
        {!enabled && <Status value={operatorTexts.paused} />} {pausedReason} <Suspension reason={suspendedReason} />
      </p>
      {next.length > 0 && (
        <p>
          {workflowsTexts.nextTimes}:{' '}
          {next.slice(0, 3).map((at) => (
            <span key={at} className="status plain">
              {new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
                new Date(at),
              )}
            </span>
          ))}
        </p>
      )}
      <div className="row">
        <button type="button" aria-expanded={isEdited} onClick={() => setEdited(!isEdited)}>
          {workflowsTexts.edit}
        </button>
        <PauseSchedule schedule={schedule} onChanged={onChanged} />
        <ConfirmedAction question={delegationsTexts.takeOverSchedule(title)} onAct={takeOver}>
          {delegationsTexts.takeOver}
        </ConfirmedAction>
        <ConfirmedAction question={workflowsTexts.deleteSchedule} onAct={remove}>
          {texts.remove}
        </ConfirmedAction>
      </div>
      {isEdited && (
        <Form onSend={save} action={texts.save} done={texts.saved}>
          <ScheduleFields schedule={schedule} />
        </Form>
      )}
    </article>
  );
}
