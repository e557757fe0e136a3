import {
  type CheckJudgement,
  type Judgement,
  type LoadedJudging,
  type NewJudgement,
  type PairJudgement,
  type RubricJudgement,
  type StoredJudgement,
  type Verdict,
  checkItems,
  checkVerdicts,
  getChecks,
  getCriteria,
  nextPairItems,
  pairVerdicts,
  rubricItems,
  rubricVerdicts,
  runCheck,
  verdictsWithoutChecks,
} from '@lensforge/battles';
import { type Answer, type Judge, withoutModel } from './judges.js';

export interface JudgingItem {
  /** Unique within the battle. */
  key: string;
  judge(): Promise<NewJudgement>;
  /** The judgement in place of one that no judge can give. */
  abstain(reasoning: string): NewJudgement;
}

/** A way to judge a battle. */
export interface JudgingMode {
  /** The items to judge next; none when the judging is finished. */
  next(stored: readonly StoredJudgement[]): JudgingItem[];
  verdicts(stored: readonly StoredJudgement[]): Verdict[];
}

/** The way to judge a battle by its judging mode. */
export function createMode(loaded: LoadedJudging, judge: Judge): JudgingMode {
  switch (loaded.battle.judgingMode) {
    case 'rubric_score':
      return byRubric(loaded, judge);
    case 'auto_score':
      return byChecks(loaded);
    case 'ai_judge':
    case 'community_vote':
      return byPairs(loaded, judge);
  }
}

/** Compares pairs in both orders; a Swiss draw needs the outcomes of a round for the next one. */
function byPairs({ battle, texts }: LoadedJudging, judge: Judge): JudgingMode {
  const contenderIds = [...texts.keys()];
  return {
    next: (stored) =>
      nextPairItems({ battleId: battle.id, contenderIds, judgements: pickJudgements(stored, isPair) }).map((item) => {
        const { first, second } = item;
        return toJudgingItem(item, judge.name, {
          answer: () => judge.compare(item),
          judgementOf: (outcome, reasoning) => {
            const choice = outcome === 'unpaid' ? 'abstained' : outcome;
            return { first, second, choice, reasoning };
          },
        });
      }),
    verdicts: (stored) => pairVerdicts(contenderIds, pickJudgements(stored, isPair)),
  };
}

/** Marks each text by each criterion: one criterion after another, so that used up credits concern all texts alike. */
function byRubric({ battle, texts }: LoadedJudging, judge: Judge): JudgingMode {
  const contenderIds = [...texts.keys()];
  const criteria = getCriteria(battle);
  const items = rubricItems(contenderIds, criteria).sort((one, other) => one.criterion - other.criterion);
  return {
    next: (stored) =>
      missing(items, stored).map((item) => {
        const { contenderId, criterion } = item;
        return toJudgingItem(item, judge.name, {
          answer: () => judge.mark(item),
          judgementOf: (mark, reasoning) => ({ contenderId, criterion, mark, reasoning }),
        });
      }),
    verdicts: (stored) => rubricVerdicts(contenderIds, criteria, pickJudgements(stored, isMark)),
  };
}

function byChecks({ battle, texts }: LoadedJudging): JudgingMode {
  const contenderIds = [...texts.keys()];
  const checks = getChecks(battle);
  const limits = { account: battle.creatorAccountId, ignoreQueueLimit: true };
  return {
    next: (stored) =>
      missing(checkItems(contenderIds, checks), stored).map(({ key, contenderId, check }) => {
        const toJudgement = (score: number, reasoning: string): NewJudgement => ({
          ...withoutModel,
          item: key,
          judge: 'checks',
          judgement: { contenderId, check, score, reasoning },
        });
        const judge = async (): Promise<NewJudgement> => {
          const one = checks[check] as (typeof checks)[number];
          const { score, reason } = await runCheck(one, texts.get(contenderId) ?? '', limits);
          return toJudgement(score, reason);
        };
        return { key, judge, abstain: (reasoning) => toJudgement(0, reasoning) };
      }),
    verdicts: (stored) =>
      checks.length === 0
        ? verdictsWithoutChecks(texts)
        : checkVerdicts(contenderIds, checks, pickJudgements(stored, isCheck)),
  };
}

interface Answering<T> {
  answer: () => Promise<Answer<T>>;
  judgementOf: (outcome: Answer<T>['outcome'], reasoning: string) => Judgement;
}

function toJudgingItem<T>({ key }: { key: string }, judge: string, { answer, judgementOf }: Answering<T>): JudgingItem {
  return {
    key,
    judge: async () => {
      const { outcome, reasoning, ...rest } = await answer();
      return { ...rest, item: key, judge, judgement: judgementOf(outcome, reasoning) };
    },
    abstain: (reasoning) => ({ ...withoutModel, item: key, judge, judgement: judgementOf('abstained', reasoning) }),
  };
}

function missing<I extends { key: string }>(items: readonly I[], stored: readonly StoredJudgement[]): I[] {
  const judged = new Set(stored.map(({ item }) => item));
  return items.filter(({ key }) => !judged.has(key));
}

const pickJudgements = <J extends Judgement>(
  stored: readonly StoredJudgement[],
  is: (one: Judgement) => one is J,
): J[] => stored.map(({ judgement }) => judgement).filter(is);

const isPair = (one: Judgement): one is PairJudgement => 'choice' in one;
const isMark = (one: Judgement): one is RubricJudgement => 'mark' in one;
const isCheck = (one: Judgement): one is CheckJudgement => 'check' in one;
