import type { Tool } from './tool.js';

/** All tools in the order of the documentation, which is the order of tools/list. */
export const tools: readonly Tool[] = [];
