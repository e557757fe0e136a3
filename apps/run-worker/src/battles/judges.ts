import { type LoadedJudging, type NewJudgement, type PairItem, type RubricItem, getCriteria } from '@lensforge/battles';
import {
  type AskJudge,
  type Choice,
  type Mark,
  type TextFeatures,
  compareOffline,
  extractFeatures,
  judgeCriterion,
  judgePair,
  markOffline,
} from '@lensforge/judges';

/** The answer of a judge about an item. */
export interface Answer<T> extends Pick<
  NewJudgement,
  'promptVersion' | 'promptHash' | 'usage' | 'tokenDetails' | 'cost'
> {
  outcome: T | 'abstained' | 'unpaid';
  reasoning: string;
}

export interface Judge {
  /** The model, or `offline`. */
  name: string;
  compare(item: PairItem): Promise<Answer<Choice>>;
  mark(item: RubricItem): Promise<Answer<Mark>>;
}

/** An answer without a request to a model. */
export const withoutModel = {
  promptVersion: null,
  promptHash: null,
  usage: { input: 0, output: 0 },
  tokenDetails: null,
  cost: 0,
} as const;

/** A model as judge. The prompts have the texts and nothing else of their contenders. */
export function modelJudge({ battle, texts }: LoadedJudging, name: string, ask: AskJudge): Judge {
  const criteria = getCriteria(battle);
  const toJudgingKey = ({ key }: { key: string }): string => `judging:${battle.id}:${key}`;
  const getText = (contenderId: string): string => texts.get(contenderId) ?? '';
  const { taskPrompt: task } = battle;
  return {
    name,
    compare: (item) =>
      judgePair(ask, { key: toJudgingKey(item), task, first: getText(item.first), second: getText(item.second) }),
    mark: (item) =>
      judgeCriterion(ask, {
        key: toJudgingKey(item),
        task,
        text: getText(item.contenderId),
        criterion: criteria[item.criterion] as (typeof criteria)[number],
      }),
  };
}

/** The judge by measured features; each text is measured once. */
export function offlineJudge({ battle, texts }: LoadedJudging): Judge {
  const criteria = getCriteria(battle);
  const measured = new Map<string, Promise<TextFeatures>>();
  const limits = { account: battle.creatorAccountId, ignoreQueueLimit: true };
  const featuresFor = (contenderId: string): Promise<TextFeatures> => {
    const known = measured.get(contenderId);
    if (known) return known;
    const features = extractFeatures(battle.taskPrompt, texts.get(contenderId) ?? '', limits);
    measured.set(contenderId, features);
    return features;
  };
  return {
    name: 'offline',
    compare: async ({ first, second }) => {
      const [one, other] = await Promise.all([featuresFor(first), featuresFor(second)]);
      const { choice, reasoning } = compareOffline(one, other);
      return { ...withoutModel, outcome: choice, reasoning };
    },
    mark: async ({ contenderId, criterion }) => {
      const all = await Promise.all([...texts.keys()].map(featuresFor));
      const { name = '' } = criteria[criterion] ?? {};
      const { mark, reasoning } = markOffline(await featuresFor(contenderId), { criterion: name, all });
      return { ...withoutModel, outcome: mark, reasoning };
    },
  };
}
