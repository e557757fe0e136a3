import type { shapes } from '@lensforge/sdk';

export type PolicyAction = keyof shapes.AiLenserActions;
export type PolicyRule = NonNullable<shapes.AiLenserActions[PolicyAction]>;

export const policyRules: readonly PolicyRule[] = ['allow', 'ask', 'deny'];

export const policyActions: readonly PolicyAction[] = [
  'run_lens',
  'run_workflow',
  'create_battle',
  'join_battle',
  'submit_entry',
  'cast_vote',
];

/** The policy that the fields of its form make. An empty cap is none; 0 is a cap. */
export function readPolicy(fieldOf: (name: string) => string): shapes.AiLenserPolicy {
  const readCap = (name: string): number | null => (fieldOf(name) === '' ? null : Number(fieldOf(name)));
  const rules = policyActions.map((action) => [action, policyRules.find((each) => each === fieldOf(action)) ?? 'deny']);
  return {
    actions: Object.fromEntries(rules) as shapes.AiLenserActions,
    creditsPerDay: readCap('creditsPerDay'),
    runsPerDay: readCap('runsPerDay'),
  };
}
