import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const layout = join(import.meta.dirname, 'layout-faults.mjs');

/** The ids of the rules of axe that a page breaks. Evaluated by the debugger, which the policy does not bind. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axe, 'utf8'));
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>('axe.run()');
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

/** How far a page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Lists where a page is wider than its window, cuts text off, or has controls that cover each other. */
export const layoutFaults = async (page: Page): Promise<string[]> => page.evaluate(await readFile(layout, 'utf8'));
