/** The choice between two texts, by the order in which the judge saw them. */
export type Choice = 'first' | 'second' | 'tie';

/** A mark of one criterion. */
export type Mark = 1 | 2 | 3 | 4 | 5;

/** The meaning of the marks 1 to 5. */
export type Anchors = readonly [string, string, string, string, string];

/** Anchors for criteria that have none. */
export const defaultAnchors: Anchors = [
  'The text does not meet the criterion at all.',
  'The text meets the criterion in a small part only.',
  'The text meets the criterion in part, with clear gaps.',
  'The text meets the criterion with small gaps.',
  'The text meets the criterion fully.',
];

const mirrored = { first: 'second', second: 'first', tie: 'tie', abstained: 'abstained' } as const;

/**
 * The outcome of two judgements in swapped order, by the order of the first. A win needs both: judgements that disagree are a
 * tie, and so is a choice whose other order the judge abstained from.
 */
export function pairOutcome(choice: Choice | 'abstained', swapped: Choice | 'abstained'): Choice | 'abstained' {
  return choice === mirrored[swapped] ? choice : 'tie';
}
