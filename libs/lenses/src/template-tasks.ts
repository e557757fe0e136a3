import { diffLines } from './diff-lines.js';

// What the sandbox computes of templates.

export const templateTasks = {
  diffLines: ({ before, after }: { before: string; after: string }) => diffLines(before, after),
};
export const tasks = templateTasks;
