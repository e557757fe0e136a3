import type { UsedScorer } from '@lensforge/contracts';
import type { EndedRun } from '@lensforge/runs';
import type { Assertion, ToolCall } from '../checks/assertion.js';
import { type Question, questionsAbout } from '../scorers/judge-questions.js';
import type { AskedQuestion } from './evaluation-rule.entity.js';

/** An output that a rule evaluates. */
export interface PendingOutput {
  run: EndedRun;
  params: Record<string, unknown>;
  /** The calls of tools of its run; undefined when no scorer is about them. */
  toolCalls: readonly ToolCall[] | undefined;
  asked: AskedQuestion[];
}

export const assertionsOf = ({ assertions = [] }: UsedScorer): Assertion[] => assertions as unknown as Assertion[];

/** The questions of a scorer about each output. */
export const questionsOf = (scorer: UsedScorer): Question[] => questionsAbout(scorer, assertionsOf(scorer));
