import { texts } from '../texts';

const forAll = [
  { to: '/runs', name: texts.navigation.runs },
  { to: '/lenses', name: texts.navigation.lenses },
  { to: '/workflows', name: texts.navigation.workflows },
  { to: '/datasets', name: texts.navigation.datasets },
  { to: '/experiments', name: texts.navigation.experiments },
  { to: '/reviews', name: texts.navigation.reviews },
  { to: '/approvals', name: texts.navigation.approvals },
  { to: '/battles', name: texts.navigation.battles },
  { to: '/agents', name: texts.navigation.agents },
  { to: '/threads', name: texts.navigation.threads },
  { to: '/webhooks', name: texts.navigation.webhooks },
  { to: '/account', name: texts.navigation.account },
] as const;

const forOperators = [{ to: '/operator', name: texts.navigation.operator }] as const;

/** The views of the navigation, in its order. */
export const listViews = ({ operator = false }: { operator?: boolean | undefined }) => [
  ...forAll,
  ...(operator ? forOperators : []),
];
