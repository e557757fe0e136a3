import { measureText } from './text-features.js';

export const featureTasks = {
  measureText: ({ task, text }: { task: string; text: string }) => measureText(task, text),
};
export const tasks = featureTasks;
