import { Link, getRouteApi } from '@tanstack/react-router';
import { webhooksTexts } from '../view-texts/webhooks';
import { Page } from '../ui/page';
import { EndpointList } from './endpoint-list';
import { IncomingList } from './incoming-list';
import { SignatureDebugger } from './signature-debugger';

const route = getRouteApi('/webhooks');

const tabs = { endpoints: EndpointList, incoming: IncomingList, debugger: SignatureDebugger } as const;
const names = Object.keys(tabs) as (keyof typeof tabs)[];

/** Webhooks that go out and come in, and a check of signatures. */
export default function WebhooksView() {
  const search = route.useSearch();
  const tab = names.find((each) => each === search.tab) ?? 'endpoints';
  const Contents = tabs[tab];
  return (
    <Page title={webhooksTexts.title}>
      <nav className="tabs" aria-label={webhooksTexts.title}>
        {names.map((name) => (
          <Link key={name} to="/webhooks" search={{ tab: name }} aria-current={name === tab ? 'page' : undefined}>
            {webhooksTexts.tabs[name]}
          </Link>
        ))}
      </nav>
      <Contents />
    </Page>
  );
}
