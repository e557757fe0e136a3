import { createLens, getLensVersion, paramKey, readableLens, templateParams } from '@lensforge/lenses';
import type { LensShelf } from '@lensforge/workflows';

/** Reads and creates the lenses that workflow graphs name. */
export const lensLookup: LensShelf = {
  async find(ctx, lensId, version) {
    const { title, description, headVersionId } = await readableLens(ctx, lensId);
    const { templateBody } = await getLensVersion(ctx, { lensId, version: version ?? headVersionId });
    return {
      title,
      description,
      templateBody,
      missing: (names) => {
        const given = new Set(names.map(paramKey));
        return templateParams(templateBody)
          .filter(({ label, optional }) => !optional && !given.has(paramKey(label)))
          .map(({ label }) => label);
      },
    };
  },
  async create(ctx, { title, description, templateBody }) {
    const { lens } = await createLens(ctx, { title, description, templateBody, visibility: 'private' });
    return lens.id;
  },
};
