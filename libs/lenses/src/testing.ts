import type { Context } from '@lensforge/core';
import { createLens } from './create-lens.js';
import type { NewLens } from './create-lens.js';
import type { Lens } from './lens.entity.js';

export async function aLens(ctx: Context, wishes: Partial<NewLens> = {}): Promise<Lens> {
  const { lens } = await createLens(ctx, {
    title: 'A lens',
    templateBody: 'Write a short and friendly greeting for [[Name]], in the tone of [[Tone!]].',
    ...wishes,
  });
  return lens;
}
