import type { Lens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import type { TestCaller, McpService } from '../mcp-service.js';

/** Two lensers and their lenses. */
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
  /** Arguments that do; a fresh world for each use. */
  good: (world: Fixtures) => object | Promise<object>;
  /** Arguments that provoke each error the tool declares. */
  errors: Record<string, (world: Fixtures) => object | Promise<object>>;
  /** The arguments name something that others may keep to themselves: the member that does. */
  names?: string;
  /** The id of such a thing, where it is no lens. */
  hidden?: (world: Fixtures) => Promise<string>;
}
