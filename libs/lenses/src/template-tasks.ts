import { diffLines } from './diff-lines.js';

// Tasks of the sandbox for templates.

export const templateTasks = {
  diffLines: ({ before, after }: { before: string; after: string }) => diffLines(before, after),
};
export const tasks = templateTasks;
