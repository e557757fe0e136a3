import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const layout = join(import.meta.dirname, 'layout-faults.mjs');

/** The rules of axe about colors. */
export const colorRules = ['color-contrast', 'link-in-text-block'];

/** The rules of axe that a page breaks, of all or of the given ones. Evaluated by the debugger, which the policy does not bind. */
export async function findings(page: Page, runOnly?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(await readFile(axe, 'utf8'));
  const options = JSON.stringify({ resultTypes: ['violations'], ...(runOnly && { runOnly }) });
  const found = await page.evaluate<{ id: string; html?: string }[]>(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, html: nodes[0]?.html })))`,
  );
  return found.map(({ id, html }) => `${id}: ${html ?? ''}`);
}

/** How far a page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Lists where a page is wider than its window, cuts text off, or has controls that cover each other. */
export const layoutFaults = async (page: Page): Promise<string[]> => page.evaluate(await readFile(layout, 'utf8'));
