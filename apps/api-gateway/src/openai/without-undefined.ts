type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** The members of an object that have a value. */
export const withoutUndefined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
