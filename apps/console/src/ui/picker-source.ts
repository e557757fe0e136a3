import { ForbiddenError, InvalidRequestError, type ListCall, NotFoundError } from '@lensforge/sdk';

/** A thing that can be picked. */
export interface PickerOption {
  value: string;
  name: string;
  /** More about it, in a few words. */
  about?: string;
  /** Its view in the console. */
  href?: string;
}

export interface OptionPage {
  options: PickerOption[];
  cursor: string | undefined;
}

/** The things that a picker offers. */
export interface PickerSource {
  /** Part of the key under which its answers are cached. */
  key: readonly unknown[];
  list: (cursor: string | undefined) => Promise<OptionPage>;
  /** The search of the server; without it the pages of the list are filtered. */
  search?: (text: string, cursor: string | undefined) => Promise<OptionPage>;
  /** The thing with a value; undefined when there is none that the person may see. */
  find: (value: string) => Promise<PickerOption | undefined>;
  /** True for a text that can be a value, though no thing on the list has it. */
  isValue: (text: string) => boolean;
}

export async function optionPage<T>(call: ListCall<T>, optionOf: (item: T) => PickerOption): Promise<OptionPage> {
  const { items, meta } = await call;
  return { options: items.map(optionOf), cursor: meta.nextCursor ?? undefined };
}

/** The answer, or undefined when the thing does not exist or may not be seen. */
export async function unlessUnknown<T>(read: () => PromiseLike<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const isUnknown =
      error instanceof NotFoundError || error instanceof ForbiddenError || error instanceof InvalidRequestError;
    if (isUnknown) return undefined;
    throw error;
  }
}
