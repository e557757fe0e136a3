import { type Endpoint, type Shape, endpoints, listFields, isFreeForm } from '@lensforge/contracts';

const shapes = Object.values<Endpoint>(endpoints).flatMap(({ params, query, body }) =>
  [params, query, body].filter((shape): shape is Shape => shape !== undefined && !isFreeForm(shape)),
);

/** Members of REST requests in camelCase; tools have snake_case arguments. */
const restNames = new Set(
  shapes.flatMap((shape) => [...listFields(shape).keys()]).filter((name) => /[A-Z]/.test(name)),
);

/** The REST members that the error of a failed call mentions. */
export const restNamesIn = (failure: object): string[] =>
  [...JSON.stringify(failure).matchAll(/[A-Za-z]\w*/g)].map(([word]) => word).filter((word) => restNames.has(word));
