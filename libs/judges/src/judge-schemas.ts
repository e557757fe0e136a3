export type AnswerSchema = Readonly<Record<string, unknown>>;

const answerSchema = (name: string, values: readonly string[]): AnswerSchema => ({
  type: 'object',
  additionalProperties: false,
  required: ['reasoning', name],
  properties: { reasoning: { type: 'string' }, [name]: { type: 'string', enum: values } },
});

/** The answer to a comparison. */
export const choiceSchema = answerSchema('choice', ['first', 'second', 'tie']);

/** The answer by a criterion, with the codes of its levels. */
export const levelSchema = (codes: readonly string[]): AnswerSchema => answerSchema('level', codes);
