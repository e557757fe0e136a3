import { lensExamples } from './lenses.js';
import { workflowExamples } from './workflows.js';
import type { Example } from './fixtures.js';

/** For each tool of the catalogue, arguments that do and arguments that provoke each error it declares. */
export const examples: Readonly<Record<string, Example>> = { ...lensExamples, ...workflowExamples };
