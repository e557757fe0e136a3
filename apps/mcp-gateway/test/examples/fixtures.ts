import type { Lens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import type { TestCaller, McpService } from '../mcp-service.js';

/** Two accounts and their lenses. */
export interface Fixtures {
  mine: TestCaller;
  theirs: TestCaller;
  myLens: Lens;
  theirPublic: Lens;
  theirPrivate: Lens;
  missing: string;
}

export async function someFixtures(service: McpService): Promise<Fixtures> {
  const [mine, theirs] = await Promise.all([service.aCaller(), service.aCaller()]);
  return {
    mine,
    theirs,
    myLens: await aLens(mine.ctx, { title: 'My greeting' }),
    theirPublic: await aLens(theirs.ctx, { title: 'Their public greeting' }),
    theirPrivate: await aLens(theirs.ctx, { title: 'Their private greeting', visibility: 'private' }),
    missing: '01900000-0000-7000-8000-000000000000',
  };
}

export interface Example {
  /** Valid arguments, with new fixtures for each use. */
  good: (fixtures: Fixtures) => object | Promise<object>;
  /** Arguments that cause each error the tool declares. */
  errors: Record<string, (fixtures: Fixtures) => object | Promise<object>>;
  /** The argument with the id of an object that may be private. */
  names?: string;
  /** The id of a private object of the other account, where it is not a lens. */
  hidden?: (fixtures: Fixtures) => Promise<string>;
}
