import {
  type DatasetChange,
  type NextReview,
  type ReviewAgreement,
  type ReviewGiven,
  type ReviewItem,
  type ReviewItemsAdded,
  type ReviewQueue,
  type ReviewQueueRemoved,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import {
  addCasesFromReviews,
  addReviewItems,
  createReviewQueue,
  giveReview,
  listReviewItems,
  listReviewQueues,
  readNextReview,
  readReviewAgreement,
  readReviewQueue,
  removeReviewQueue,
} from '@lensforge/evaluation';
import { Controller } from '@nestjs/common';
import { pageResponse } from './page-response.js';

@Controller()
export class ReviewQueuesController {
  @Serves(endpoints.listReviewQueues)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listReviewQueues>,
  ): Promise<ListResponse<ReviewQueue>> {
    return pageResponse(await listReviewQueues(ctx, query));
  }

  @Serves(endpoints.createReviewQueue)
  create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createReviewQueue>): Promise<ReviewQueue> {
    return createReviewQueue(ctx, body);
  }

  @Serves(endpoints.getReviewQueue)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getReviewQueue>): Promise<ReviewQueue> {
    return readReviewQueue(ctx, params.queueId);
  }

  @Serves(endpoints.removeReviewQueue)
  remove(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.removeReviewQueue>,
  ): Promise<ReviewQueueRemoved> {
    return removeReviewQueue(ctx, params.queueId);
  }

  @Serves(endpoints.listReviewItems)
  async items(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listReviewItems>,
  ): Promise<ListResponse<ReviewItem>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listReviewItems(ctx, { ...query, ...params })));
  }

  @Serves(endpoints.addReviewItems)
  add(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.addReviewItems>,
  ): Promise<ReviewItemsAdded> {
    return addReviewItems(ctx, { ...body, ...params });
  }

  @Serves(endpoints.giveReview)
  review(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.giveReview>,
  ): Promise<ReviewGiven> {
    return giveReview(ctx, { ...body, ...params });
  }

  @Serves(endpoints.getNextReview)
  next(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.getNextReview>,
  ): Promise<NextReview> {
    return readNextReview(ctx, { ...query, ...params });
  }

  @Serves(endpoints.getReviewAgreement)
  agreement(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getReviewAgreement>,
  ): Promise<ReviewAgreement> {
    return readFromReplica(ctx, (ctx) => readReviewAgreement(ctx, params.queueId));
  }

  @Serves(endpoints.addCasesFromReviews)
  addCases(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.addCasesFromReviews>,
  ): Promise<DatasetChange> {
    return addCasesFromReviews(ctx, { ...body, ...params });
  }
}
