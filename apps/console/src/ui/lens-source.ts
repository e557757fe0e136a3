import type { Client, shapes } from '@lensforge/sdk';
import { type PickerOption, type PickerSource, optionPage, unlessUnknown } from './picker-source';
import { isUuid } from './uuid';

const limit = 100;

type Titled = Pick<shapes.LensItem | shapes.WorkflowItem, 'id' | 'title' | 'author'>;

export const toTitledOption = ({ id, title, author }: Titled, view: 'lenses' | 'workflows'): PickerOption => ({
  value: id,
  name: title,
  about: `@${author.handle}`,
  href: `/${view}/${id}`,
});

const toLensOption = (lens: shapes.LensItem): PickerOption => toTitledOption(lens, 'lenses');

/** The lenses that a person finds, or those of one account. */
export const listLensOptions = ({ lenses }: Client, author?: string): PickerSource => ({
  key: ['lenses', author],
  list: async (cursor) => optionPage(lenses.list({ limit, author, cursor }), toLensOption),
  search: async (q, cursor) => optionPage(lenses.list({ limit: 20, author, q, cursor }), toLensOption),
  find: async (id) => {
    const lens = await unlessUnknown(() => lenses.get(id));
    return lens && toLensOption(lens);
  },
  isValue: isUuid,
});
