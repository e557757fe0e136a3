import type { Client, shapes } from '@lensforge/sdk';
import { type PickerOption, type PickerSource, optionPage, unlessUnknown } from './picker-source';
import { isUuid } from './uuid';

const toOption = ({ id, name }: shapes.Dataset): PickerOption => ({ value: id, name, href: `/datasets/${id}` });

/** The datasets of the person. */
export const listDatasetOptions = ({ datasets }: Client): PickerSource => ({
  key: ['datasets'],
  list: async (cursor) => optionPage(datasets.list({ limit: 100, cursor }), toOption),
  search: async (q, cursor) => optionPage(datasets.list({ limit: 20, q, cursor }), toOption),
  find: async (id) => {
    const dataset = await unlessUnknown(() => datasets.get(id));
    return dataset && toOption(dataset);
  },
  isValue: isUuid,
});
