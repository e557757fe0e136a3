import type { shapes } from '@lensforge/sdk';
import { type Command, limitOption } from '../command.js';
import { fields, time } from '../layout.js';

const list: Command = {
  name: 'schedules ls',
  summary: 'List the schedules of a workflow, or of all, with the reason of a suspension',
  args: ['[workflow]'],
  options: limitOption,
  async run(session, input) {
    const workflow = input.optionalArg('workflow');
    const { workflows, schedules } = session.client;
    await session.showList<shapes.ScheduleRecord>(
      (limit) =>
        workflow === undefined
          ? schedules.list({ limit }, session.call)
          : workflows.listSchedules(workflow, { limit }, session.call),
      [
        ['id', ({ id }) => id],
        ['title', ({ title }) => title],
        ['cron', ({ cron }) => cron],
        ['zone', ({ timeZone }) => timeZone],
        ['enabled', ({ enabled }) => (enabled ? 'yes' : 'no')],
        ['suspended', ({ suspendedReason }) => suspendedReason],
        ['next', ({ nextAt }) => time(nextAt)],
      ],
      'There are no schedules',
    );
  },
};

const takeOver: Command = {
  name: 'schedules take-over',
  summary: 'Give a schedule your rights, and end its suspension',
  args: ['id'],
  async run(session, input) {
    const schedule = await session.client.schedules.takeOver(input.arg('id'), session.call);
    session.show(schedule, () => fields({ id: schedule.id, next: time(schedule.nextAt) }));
  },
};

export const scheduleCommands: readonly Command[] = [list, takeOver];
