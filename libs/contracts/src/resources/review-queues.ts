import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, decimal, flag, integer, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { nestedKind, textKind } from '../schema/kinds.js';
import { PageQuery } from '../schema/paging.js';
import { DatasetChange, maskOfCases } from './datasets.js';
import { RunSelection } from './run-selection.js';
import { type Thumb, thumbs } from './run-scores.js';
import { nameOfScorer } from './scorers.js';

/** How reviewers score an answer. */
export const reviewScales = ['verdict', 'marks'] as const;
export type ReviewScale = (typeof reviewScales)[number];

const instructions = {
  max: 5000,
  optional: true,
  description: 'The question to the reviewers, in plain text.',
} as const;

export class ReviewQueueCreate {
  @text({
    ...nameOfScorer,
    description: 'Letters, digits, dots, dashes and underscores; unique in the account. It names the scores.',
  })
  name!: string;

  @text(instructions)
  instructions?: string;

  @oneOf(reviewScales, { description: 'verdict: good or bad. marks: from 1 to 5.' })
  scale: ReviewScale = 'verdict';

  @list(textKind({ min: 1, max: 80 }), {
    max: 50,
    optional: true,
    description:
      'The handles or ids of the people who review. When absent: you, or the owners and admins of the community.',
  })
  reviewers?: string[];

  @integer({
    min: 1,
    max: 2,
    optional: true,
    description:
      'The reviews of an answer; 2 when absent. When two differ by half of the scale, a third person decides.',
  })
  perItem?: number;

  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'The name of a score of judges with which the people are compared.',
  })
  compareWith?: string;
}

export class ReviewQueuePath {
  @uuid({ description: 'The queue.' })
  queueId!: string;
}

export class ReviewItemPath extends ReviewQueuePath {
  @uuid({ description: 'The item.' })
  itemId!: string;
}

export class NextReviewQuery {
  @uuid({ optional: true, description: 'The item after this one, to pass over it.' })
  after?: string;
}

/** Answers that people review, blind to version, arm and model. */
export class ReviewQueue {
  @uuid()
  id!: string;

  @text()
  name!: string;

  @text({ nullable: true })
  instructions!: string | null;

  @oneOf(reviewScales)
  scale!: ReviewScale;

  @integer({ min: 1 })
  perItem!: number;

  @text({ nullable: true })
  compareWith!: string | null;

  @flag({ description: 'True for a queue of the caller; others are those that the caller reviews.' })
  isOwn!: boolean;

  @flag({ description: 'True when the caller may review its answers.' })
  canReview!: boolean;

  @integer({ min: 0 })
  items!: number;

  @integer({ min: 0, description: 'The items that have all their reviews.' })
  done!: number;

  @integer({ min: 0, description: 'The items that wait for a review of the caller.' })
  waiting!: number;

  @dateTime()
  createdAt!: string;
}

export class ReviewQueueRemoved {
  @uuid()
  queueId!: string;

  @flag()
  removed!: boolean;
}

export class ReviewItemsRequest {
  @list(textKind({ min: 36, max: 36 }), { min: 1, max: 1000, optional: true, description: 'Runs of the caller.' })
  runIds?: string[];

  @nested(() => RunSelection, { optional: true, description: 'Runs by a filter, when no runIds are given.' })
  filter?: RunSelection;
}

export class ReviewItemsAdded {
  @integer({ min: 0, description: 'Runs that were in the queue already, or have no answer, are left out.' })
  added!: number;
}

export const reviewStates = ['open', 'tied', 'done'] as const;
export type ReviewState = (typeof reviewStates)[number];

/** An item as its owner sees it. */
export class ReviewItem {
  @uuid()
  id!: string;

  @uuid()
  runId!: string;

  @oneOf(reviewStates, { description: 'tied: two reviews differ, and a third person decides.' })
  state!: ReviewState;

  @integer({ min: 0 })
  reviews!: number;

  @decimal({ min: 0, max: 1, nullable: true, description: 'The mean of reviews that agree, or the middle of three.' })
  score!: number | null;

  @text({ nullable: true, description: 'The newest corrected answer.' })
  corrected!: string | null;

  @list(textKind(), { description: 'The comments of the reviewers.' })
  comments!: string[];
}

/** An answer as a reviewer sees it. */
export class ItemToReview {
  @uuid()
  id!: string;

  @record({ description: 'The parameters of the lens, or the inputs of the workflow.' })
  params!: Record<string, unknown>;

  @text()
  output!: string;
}

export class NextReview {
  @nested(() => ItemToReview, { nullable: true, description: 'null when nothing waits for the caller.' })
  item!: ItemToReview | null;

  @integer({ min: 0, description: 'The items that wait for the caller, with this one.' })
  waiting!: number;
}

export class ReviewRequest {
  @oneOf(thumbs, { optional: true, description: 'For the scale verdict.' })
  thumb?: Thumb;

  @integer({ min: 1, max: 5, optional: true, description: 'For the scale marks.' })
  mark?: number;

  @text({ max: 2000, optional: true })
  comment?: string;

  @text({
    max: 100_000,
    optional: true,
    description: 'The answer that would be right; its owner can make a case of it.',
  })
  corrected?: string;
}

export class ReviewGiven {
  @oneOf(reviewStates)
  state!: ReviewState;
}

/** An answer about which people and a judge disagree. */
export class JudgeDisagreement {
  @uuid()
  itemId!: string;

  @uuid()
  runId!: string;

  @decimal({ min: 0, max: 1 })
  people!: number;

  @decimal({ min: 0, max: 1 })
  judge!: number;

  @text({ nullable: true, description: 'The reason of the judge.' })
  reason!: string | null;
}

export class JudgeAgreement {
  @text({ description: 'The name of the score.' })
  name!: string;

  @integer({ min: 0, description: 'The items with a score of both.' })
  items!: number;

  @decimal({
    min: 0,
    max: 1,
    nullable: true,
    description: 'The share of items where both are at least 0.5, or both are lower.',
  })
  sameVerdict!: number | null;

  @decimal({ nullable: true, description: "Krippendorff's alpha of the people's score and that of the judge." })
  alpha!: number | null;

  @decimal({ nullable: true, description: 'The mean of judge minus people: above 0 it is too mild.' })
  bias!: number | null;

  @list(nestedKind(() => JudgeDisagreement), { description: 'The 20 greatest differences.' })
  disagreements!: JudgeDisagreement[];
}

export class ReviewAgreement {
  @integer({ min: 0 })
  items!: number;

  @integer({ min: 0 })
  done!: number;

  @integer({ min: 0, description: 'Items whose two reviews differ.' })
  tied!: number;

  @integer({ min: 0 })
  reviews!: number;

  @decimal({
    nullable: true,
    description:
      "Krippendorff's alpha of the reviews: 1 full agreement, 0 that of chance; null for too few reviews, or equal ones.",
  })
  alpha!: number | null;

  @nested(() => JudgeAgreement, { nullable: true, description: 'null without compareWith.' })
  judge!: JudgeAgreement | null;
}

export class CasesFromReviews {
  @uuid({ description: 'A dataset of the caller.' })
  datasetId!: string;

  @list(textKind({ min: 1, max: 100 }), { max: 20, optional: true })
  tags?: string[];

  @flag(maskOfCases)
  mask?: boolean;
}

export const reviewQueueEndpoints = defineEndpoints({
  listReviewQueues: {
    route: 'GET /v1/review-queues',
    summary: "Lists the caller's review queues and those that the caller reviews, the newest first",
    description: 'Each has its scale, its progress, and the number of answers that wait for the caller.',
    query: PageQuery,
    reply: ReviewQueue,
    scopes: ['lenses:read'],
    rate: 'list',
    replies: 'list',
  },
  createReviewQueue: {
    route: 'POST /v1/review-queues',
    summary: 'Creates a queue in which people review answers, blind to version, arm and model',
    description:
      'Add runs with addReviewItems. When an answer has its reviews, its run gets a score with the name of the queue.',
    body: ReviewQueueCreate,
    example: { name: 'helpful', instructions: 'Does the answer solve the problem?', perItem: 1 },
    reply: ReviewQueue,
    status: 201,
    scopes: ['lenses:write'],
    rate: 'create',
    errors: [409],
  },
  getReviewQueue: {
    route: 'GET /v1/review-queues/{queueId}',
    summary: 'Reads a review queue of the caller, or one that the caller reviews',
    description: 'Shows what reviewers are asked, the progress, and how many answers wait for the caller.',
    params: ReviewQueuePath,
    reply: ReviewQueue,
    scopes: ['lenses:read'],
    rate: 'read',
  },
  removeReviewQueue: {
    route: 'DELETE /v1/review-queues/{queueId}',
    summary: 'Deletes a review queue with its reviews; the scores of the runs stay',
    description: 'Answers that wait are not reviewed any more.',
    params: ReviewQueuePath,
    reply: ReviewQueueRemoved,
    scopes: ['lenses:write'],
    rate: 'write',
  },
  listReviewItems: {
    route: 'GET /v1/review-queues/{queueId}/items',
    summary: 'Lists the items of a queue of the caller, the newest first',
    description: 'Each has its run, its state and its score. Reviewers of others do not see this list.',
    params: ReviewQueuePath,
    query: PageQuery,
    reply: ReviewItem,
    scopes: ['lenses:read'],
    rate: 'list',
    replies: 'list',
  },
  addReviewItems: {
    route: 'POST /v1/review-queues/{queueId}/items',
    summary: 'Puts answers of runs into a queue, by their ids or a filter',
    description:
      'The filter finds runs of a lens or workflow, or answers of an experiment, also by a score or where two scorers disagree. Reviewers get them in a random order.',
    params: ReviewQueuePath,
    body: ReviewItemsRequest,
    reply: ReviewItemsAdded,
    scopes: ['lenses:write'],
    rate: 'expensive',
  },
  giveReview: {
    route: 'POST /v1/review-queues/{queueId}/items/{itemId}',
    summary: 'Reviews an answer, once',
    description:
      'Give a thumb or a mark, as the scale of the queue says. With the last review the run gets its score. An answer that has its reviews, or one of the caller, is refused with 409.',
    params: ReviewItemPath,
    body: ReviewRequest,
    reply: ReviewGiven,
    scopes: ['lenses:read'],
    audience: 'people',
    rate: 'write',
    errors: [409],
  },
  getNextReview: {
    route: 'GET /v1/review-queues/{queueId}/next',
    summary: 'Reads the next answer that waits for a review of the caller',
    description: 'It has its parameters and its text, and neither run, version, arm nor model.',
    params: ReviewQueuePath,
    query: NextReviewQuery,
    reply: NextReview,
    scopes: ['lenses:read'],
    audience: 'people',
    rate: 'read',
  },
  getReviewAgreement: {
    route: 'GET /v1/review-queues/{queueId}/agreement',
    summary: 'Says how far people agree with each other, and with a judge',
    description: 'For the owner of the queue. With compareWith it names the answers where the judge fails most.',
    params: ReviewQueuePath,
    reply: ReviewAgreement,
    scopes: ['lenses:read'],
    rate: 'expensive',
  },
  addCasesFromReviews: {
    route: 'POST /v1/review-queues/{queueId}/cases',
    summary: 'Makes cases of all answers that were corrected',
    description:
      'A case has the parameters of the run, and the newest corrected answer as expected. Its key is the id of the run.',
    params: ReviewQueuePath,
    body: CasesFromReviews,
    reply: DatasetChange,
    scopes: ['lenses:write'],
    rate: 'write',
  },
});
