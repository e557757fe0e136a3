import type { Context } from '@lensforge/core';
import { createLens } from './create-lens.js';
import type { NewLens } from './create-lens.js';
import type { LensDocument } from './export-lens.js';
import { exportLens } from './export-lens.js';
import type { Lens } from './lens.entity.js';

export async function aLens(ctx: Context, wishes: Partial<NewLens> = {}): Promise<Lens> {
  const { lens } = await createLens(ctx, {
    title: 'A lens',
    templateBody: 'Write a short and friendly greeting for [[Name]], in the tone of [[Tone!]].',
    ...wishes,
  });
  return lens;
}

/** What a client receives as an export. */
export async function exportedLens(ctx: Context, lensId: string): Promise<LensDocument> {
  const { document, versions } = await exportLens(ctx, lensId);
  const read: LensDocument['versions'] = [];
  for await (const version of versions) read.push(JSON.parse(version) as LensDocument['versions'][0]);
  return { ...document, versions: read };
}
