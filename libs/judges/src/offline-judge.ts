import type { Choice, Mark } from './judgements.js';
import type { TextFeatures } from './text-features.js';

// Judges without a model, by measured features alone. Instructions in a text are words like others.

/** The weights of features; their sum is 1. */
const weights = { relevance: 0.35, ownWords: 0.15, variety: 0.2, sentences: 0.1, printable: 0.1, length: 0.1 };

type Feature = keyof typeof weights;
type Features = Readonly<Record<Feature, number>>;

const names: Readonly<Record<Feature, string>> = {
  relevance: 'words of the task',
  ownWords: 'own words',
  variety: 'variety of wording',
  sentences: 'readable sentences',
  printable: 'printable characters',
  length: 'length beside the others',
};

const allFeatures = Object.keys(weights) as Feature[];

/** The features that stand for criteria of the default rubric; other criteria get all. */
const criterionFeatures: Readonly<Record<string, readonly Feature[]>> = {
  relevance: ['relevance', 'ownWords'],
  completeness: ['relevance', 'length'],
  clarity: ['sentences', 'variety', 'printable'],
};

/** Scores that are nearer than this are a tie. */
const margin = 0.05;

const preface = 'Offline judge by measured features; no model was asked.';

/** Compares two texts. Swapped texts get the mirrored choice. */
export function compareOffline(first: TextFeatures, second: TextFeatures): { choice: Choice; reasoning: string } {
  const both = [first, second];
  const [a, b] = [withLength(first, both), withLength(second, both)];
  const difference = scoreFeatures(a, allFeatures) - scoreFeatures(b, allFeatures);
  const choice = Math.abs(difference) < margin ? 'tie' : difference > 0 ? 'first' : 'second';
  const reasoning = [
    preface,
    `First text: ${described(a, allFeatures)}.`,
    `Second text: ${described(b, allFeatures)}.`,
    `A difference below ${margin} is a tie.`,
  ];
  return { choice, reasoning: reasoning.join(' ') };
}

/** Marks a text by a criterion; `all` has the features of all texts of the battle, which give the usual length. */
export function markOffline(
  text: TextFeatures,
  { criterion, all }: { criterion: string; all: readonly TextFeatures[] },
): { mark: Mark; reasoning: string } {
  const used = (Object.hasOwn(criterionFeatures, criterion) ? criterionFeatures[criterion] : undefined) ?? allFeatures;
  const features = withLength(text, all);
  const mark = (1 + Math.round(4 * scoreFeatures(features, used))) as Mark;
  const note = used === allFeatures ? ' No feature measures this criterion by itself, so all of them count.' : '';
  return { mark, reasoning: `${preface}${note} The text: ${described(features, used)}.` };
}

/** Adds the length: 1 at the geometric mean of all texts, ½ at half or double of it. Of two texts, both have the same. */
function withLength(text: TextFeatures, all: readonly TextFeatures[]): Features {
  const logs = all.flatMap(({ words }) => (words > 0 ? [Math.log(words)] : [])).sort((a, b) => a - b);
  const usual = logs.reduce((sum, each) => sum + each, 0) / logs.length;
  return { ...text, length: text.words === 0 ? 0 : Math.exp(-Math.abs(Math.log(text.words) - usual)) };
}

function scoreFeatures(features: Features, used: readonly Feature[]): number {
  const total = used.reduce((sum, name) => sum + weights[name], 0);
  return used.reduce((sum, name) => sum + weights[name] * features[name], 0) / total;
}

const described = (features: Features, used: readonly Feature[]): string =>
  `score ${scoreFeatures(features, used).toFixed(2)} (${used
    .map((name) => `${names[name]} ${features[name].toFixed(2)}`)
    .join(', ')})`;
