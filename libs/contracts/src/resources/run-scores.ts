import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, decimal, flag, nested, oneOf, text, uuid } from '../schema/field.js';
import { ShortListQuery } from '../schema/paging.js';
import { RunPath, runReadScopes, runWriteScopes } from './runs.js';
import { ScoreJudge, nameOfScorer } from './scorers.js';

export const scoreSources = ['end_user', 'caller', 'rule', 'review'] as const;
export type ScoreSource = (typeof scoreSources)[number];

export const thumbs = ['up', 'down'] as const;
export type Thumb = (typeof thumbs)[number];

/** The name of the scores of end users. */
export const feedbackName = 'feedback';

const comment = { max: 2000, optional: true } as const;
const score = { min: 0, max: 1, optional: true, description: 'From 0 to 1; or give a thumb.' } as const;
const thumb = { optional: true, description: 'up counts as 1, down as 0; or give a score.' } as const;

export class FeedbackKey {
  @uuid()
  runId!: string;

  @text({ description: 'The key for the member key of POST /v1/runs/{runId}/feedback. It is shown only now.' })
  key!: string;

  @dateTime()
  expiresAt!: string;
}

export class FeedbackRequest {
  @text({ min: 1, max: 200, description: 'A key of POST /v1/runs/{runId}/feedback-key.' })
  key!: string;

  @decimal(score)
  score?: number;

  @oneOf(thumbs, thumb)
  thumb?: Thumb;

  @text(comment)
  comment?: string;
}

export class FeedbackReceived {
  @flag()
  received!: boolean;
}

export class RunScoreRequest {
  @text({ ...nameOfScorer, description: 'The name of the score; another one with this name replaces it.' })
  name!: string;

  @decimal(score)
  score?: number;

  @oneOf(thumbs, thumb)
  thumb?: Thumb;

  @text(comment)
  comment?: string;
}

/** A score of a run. */
export class RunScore {
  @uuid()
  id!: string;

  @uuid()
  runId!: string;

  @text({ description: 'The name of the scorer; feedback for the scores of end users.' })
  name!: string;

  @oneOf(scoreSources, {
    description:
      'end_user: with a key of the run. caller: with POST /v1/runs/{runId}/scores. rule: by a rule of evaluation. review: by people in a review queue.',
  })
  source!: ScoreSource;

  @decimal({ min: 0, max: 1, nullable: true, description: 'null when it could not be made.' })
  score!: number | null;

  @flag({ nullable: true, description: 'The verdict of a scorer.' })
  pass!: boolean | null;

  @text({ nullable: true, description: 'The reason that a scorer gave, or the comment of a person.' })
  reason!: string | null;

  @text({ nullable: true, description: 'Why the score could not be made.' })
  error!: string | null;

  @nested(() => ScoreJudge, { nullable: true, description: 'How a judge came to the score.' })
  judge!: ScoreJudge | null;

  @dateTime()
  createdAt!: string;
}

export const runScoreEndpoints = defineEndpoints({
  listRunScores: {
    route: 'GET /v1/runs/{runId}/scores',
    summary: 'Lists the scores of a run, the newest first',
    description:
      'Scores of end users, of the caller, of rules and of reviews. A run of a lens or workflow can have scores, also before it has ended.',
    params: RunPath,
    query: ShortListQuery,
    reply: RunScore,
    scopes: runReadScopes,
    rate: 'read',
    replies: 'list',
  },
  setRunScore: {
    route: 'POST /v1/runs/{runId}/scores',
    summary: 'Gives a run a score that you have computed or asked for',
    description:
      'Give either a score or a thumb. One with the same name replaces it. For scores of people in a browser see createFeedbackKey.',
    params: RunPath,
    body: RunScoreRequest,
    example: { name: 'resolved', score: 1 },
    reply: RunScore,
    status: 201,
    repeatable: true,
    scopes: runWriteScopes,
    rate: 'write',
    errors: [409],
  },
  createFeedbackKey: {
    route: 'POST /v1/runs/{runId}/feedback-key',
    summary: 'Creates a key with which a browser can give one run a score, once, within an hour',
    description:
      'Hand the key to the page that shows the answer. It can do nothing but give this run one score, and is never valid for longer than the credential that created it.',
    params: RunPath,
    reply: FeedbackKey,
    status: 201,
    scopes: runWriteScopes,
    rate: 'write',
    errors: [409],
  },
  giveFeedback: {
    route: 'POST /v1/runs/{runId}/feedback',
    summary: 'Gives a run the score of an end user',
    description:
      'The key authenticates the call, from any origin; no other credential is needed. Give either a score or a thumb. The key works once: a later call is refused with 409.',
    params: RunPath,
    body: FeedbackRequest,
    rawBody: true,
    reply: FeedbackReceived,
    status: 201,
    scopes: [],
    rate: 'incoming',
    errors: [401, 409],
  },
});
