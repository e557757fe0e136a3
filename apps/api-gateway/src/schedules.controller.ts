import {
  type ScheduleDeleted,
  type ScheduleItem,
  type SchedulePreview,
  type ScheduleRecord,
  type ScheduleTickItem,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import {
  createSchedule,
  deleteSchedule,
  listOwnSchedules,
  listScheduleTicks,
  listSchedules,
  previewSchedule,
  readableSchedule,
  takeOverSchedule,
  updateSchedule,
} from '@lensforge/workflows';
import { Controller } from '@nestjs/common';
import { countedPageResponse, pageResponse, withOffset } from './page-response.js';

@Controller()
export class SchedulesController {
  @Serves(endpoints.listOwnSchedules)
  async listOwn(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listOwnSchedules>,
  ): Promise<ListResponse<ScheduleItem>> {
    return countedPageResponse(await readFromReplica(ctx, (ctx) => listOwnSchedules(ctx, withOffset(query))));
  }

  @Serves(endpoints.listSchedules)
  async list(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listSchedules>,
  ): Promise<ListResponse<ScheduleRecord>> {
    return countedPageResponse(
      await readFromReplica(ctx, (ctx) => listSchedules(ctx, { ...params, ...withOffset(query) })),
    );
  }

  @Serves(endpoints.createSchedule)
  create(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.createSchedule>,
  ): Promise<ScheduleRecord> {
    return createSchedule(ctx, { ...body, ...params });
  }

  @Serves(endpoints.getSchedule)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getSchedule>): Promise<ScheduleRecord> {
    return readableSchedule(ctx, params.scheduleId);
  }

  @Serves(endpoints.updateSchedule)
  update(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.updateSchedule>,
  ): Promise<ScheduleRecord> {
    return updateSchedule(ctx, { ...body, ...params });
  }

  @Serves(endpoints.takeOverSchedule)
  takeOver(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.takeOverSchedule>,
  ): Promise<ScheduleRecord> {
    return takeOverSchedule(ctx, params);
  }

  @Serves(endpoints.deleteSchedule)
  remove(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.deleteSchedule>,
  ): Promise<ScheduleDeleted> {
    return deleteSchedule(ctx, params.scheduleId);
  }

  @Serves(endpoints.previewSchedule)
  preview(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.previewSchedule>,
  ): Promise<SchedulePreview> {
    return previewSchedule(ctx, params.scheduleId);
  }

  @Serves(endpoints.listScheduleTicks)
  async ticks(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listScheduleTicks>,
  ): Promise<ListResponse<ScheduleTickItem>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listScheduleTicks(ctx, { ...query, ...params })));
  }
}
