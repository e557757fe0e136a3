import type { Context } from '@lensforge/core';
import { type NewLens, createLens } from './create-lens.js';
import { type LensDocument, exportLens } from './export-lens.js';
import type { Lens } from './lens.entity.js';

/** Creates a published lens. */
export async function aLens(ctx: Context, overrides: Partial<NewLens> = {}): Promise<Lens> {
  const { lens } = await createLens(ctx, {
    title: 'A lens',
    templateBody: 'Write a short and friendly greeting for [[Name]], in the tone of [[Tone!]].',
    ...overrides,
  });
  return lens;
}

/** The export of a lens as a client receives it. */
export async function exportedLens(ctx: Context, lensId: string): Promise<LensDocument> {
  const { document, versions } = await exportLens(ctx, lensId);
  const read: LensDocument['versions'] = [];
  for await (const version of versions) read.push(JSON.parse(version) as LensDocument['versions'][0]);
  return { ...document, versions: read };
}
