import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { type BattleSearch, readBattleSearch } from './battles/battle-search';
import { type LensFilters, readLensFilters } from './lenses/lens-filters';
import { type RunFilters, readRunFilters } from './runs/run-filters';
import { Shell } from './shell/shell';
import { NoView, ViewFault } from './shell/view-fault';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads the run whose values a view begins with. */
const readRunSearch = ({ run }: Record<string, unknown>): { run?: string | undefined } => ({ run: text(run) });

const rootRoute = createRootRoute({ component: Shell, errorComponent: ViewFault, notFoundComponent: NoView });
const root = { getParentRoute: () => rootRoute };

const home = createRoute({
  ...root,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home-view')),
});

const runs = createRoute({
  ...root,
  path: '/runs',
  validateSearch: (search): RunFilters => readRunFilters(search),
  component: lazyRouteComponent(() => import('./runs/run-list-view')),
});
const run = createRoute({
  ...root,
  path: '/runs/$runId',
  component: lazyRouteComponent(() => import('./runs/run-view')),
});
const compareRuns = createRoute({
  ...root,
  path: '/runs/compare',
  validateSearch: ({ a, b }): { a?: string | undefined; b?: string | undefined } => ({ a: text(a), b: text(b) }),
  component: lazyRouteComponent(() => import('./runs/compare-view')),
});
const lenses = createRoute({
  ...root,
  path: '/lenses',
  validateSearch: (search): LensFilters => readLensFilters(search),
  component: lazyRouteComponent(() => import('./lenses/lens-list-view')),
});
const newLens = createRoute({
  ...root,
  path: '/lenses/new',
  component: lazyRouteComponent(() => import('./lenses/new-lens-view')),
});
const lens = createRoute({
  ...root,
  path: '/lenses/$lensId',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('./lenses/lens-view')),
});
const workflows = createRoute({
  ...root,
  path: '/workflows',
  component: lazyRouteComponent(() => import('./workflows/workflow-list-view')),
});
const workflow = createRoute({
  ...root,
  path: '/workflows/$workflowId',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('./workflows/workflow-view')),
});
const schedules = createRoute({
  ...root,
  path: '/schedules',
  component: lazyRouteComponent(() => import('./schedules/schedule-list-view')),
});
const approvals = createRoute({
  ...root,
  path: '/approvals',
  component: lazyRouteComponent(() => import('./approvals/approvals-view')),
});
const experiments = createRoute({
  ...root,
  path: '/experiments',
  component: lazyRouteComponent(() => import('./experiments/experiment-list-view')),
});
const experiment = createRoute({
  ...root,
  path: '/experiments/$experimentId',
  component: lazyRouteComponent(() => import('./experiments/experiment-view')),
});
const datasets = createRoute({
  ...root,
  path: '/datasets',
  component: lazyRouteComponent(() => import('./datasets/dataset-list-view')),
});
const dataset = createRoute({
  ...root,
  path: '/datasets/$datasetId',
  component: lazyRouteComponent(() => import('./datasets/dataset-view')),
});
const reviews = createRoute({
  ...root,
  path: '/reviews',
  component: lazyRouteComponent(() => import('./reviews/queue-list-view')),
});
const reviewQueue = createRoute({
  ...root,
  path: '/reviews/$queueId',
  component: lazyRouteComponent(() => import('./reviews/queue-view')),
});
const battles = createRoute({
  ...root,
  path: '/battles',
  validateSearch: (search): BattleSearch => readBattleSearch(search),
  component: lazyRouteComponent(() => import('./battles/battle-list-view')),
});
const newBattle = createRoute({
  ...root,
  path: '/battles/new',
  component: lazyRouteComponent(() => import('./battles/new-battle-view')),
});
const vote = createRoute({
  ...root,
  path: '/battles/vote',
  component: lazyRouteComponent(() => import('./battles/vote-view')),
});
const battle = createRoute({
  ...root,
  path: '/battles/$battleId',
  component: lazyRouteComponent(() => import('./battles/battle-view')),
});
const agents = createRoute({
  ...root,
  path: '/agents',
  validateSearch: ({ tab }): { tab?: string | undefined } => ({ tab: text(tab) }),
  component: lazyRouteComponent(() => import('./agents/agent-list-view')),
});
const consent = createRoute({
  ...root,
  path: '/agents/consent',
  component: lazyRouteComponent(() => import('./agents/consent-view')),
});
const agent = createRoute({
  ...root,
  path: '/agents/$aiLenserId',
  validateSearch: ({ tab }): { tab?: string | undefined } => ({ tab: text(tab) }),
  component: lazyRouteComponent(() => import('./agents/agent-view')),
});
const threads = createRoute({
  ...root,
  path: '/threads',
  validateSearch: ({ about, id }): { about?: string | undefined; id?: string | undefined } => ({
    about: text(about),
    id: text(id),
  }),
  component: lazyRouteComponent(() => import('./threads/thread-list-view')),
});
const thread = createRoute({
  ...root,
  path: '/threads/$threadId',
  component: lazyRouteComponent(() => import('./threads/thread-view')),
});
const webhooks = createRoute({
  ...root,
  path: '/webhooks',
  validateSearch: ({ tab }): { tab?: string | undefined } => ({ tab: text(tab) }),
  component: lazyRouteComponent(() => import('./webhooks/webhooks-view')),
});
const webhook = createRoute({
  ...root,
  path: '/webhooks/$endpointId',
  validateSearch: ({ state, event }): { state?: string | undefined; event?: string | undefined } => ({
    state: text(state),
    event: text(event),
  }),
  component: lazyRouteComponent(() => import('./webhooks/endpoint-view')),
});
const account = createRoute({
  ...root,
  path: '/account',
  validateSearch: ({ tab, community }): { tab?: string | undefined; community?: string | undefined } => ({
    tab: text(tab),
    community: text(community),
  }),
  component: lazyRouteComponent(() => import('./account/account-view')),
});
const operator = createRoute({
  ...root,
  path: '/operator',
  component: lazyRouteComponent(() => import('./operator/operator-view')),
});

const routeTree = rootRoute.addChildren([
  home,
  runs,
  run,
  compareRuns,
  lenses,
  newLens,
  lens,
  workflows,
  workflow,
  schedules,
  approvals,
  datasets,
  dataset,
  experiments,
  experiment,
  reviews,
  reviewQueue,
  battles,
  newBattle,
  vote,
  battle,
  agents,
  consent,
  agent,
  threads,
  thread,
  webhooks,
  webhook,
  account,
  operator,
  // Only the development server has this view.
  ...(import.meta.env.DEV
    ? [createRoute({ ...root, path: '/design', component: lazyRouteComponent(() => import('./design/design-view')) })]
    : []),
]);

export const createConsoleRouter = () =>
  createRouter({ routeTree, basepath: '/console', defaultPreload: 'intent', scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
