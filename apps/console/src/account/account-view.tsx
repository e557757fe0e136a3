import { Link, getRouteApi } from '@tanstack/react-router';
import { accountTexts } from '../view-texts/account';
import { Page } from '../ui/page';
import { AuditLog } from './audit-log';
import { Communities } from './communities';
import { CreditLedger } from './credit-ledger';
import { Profile } from './profile';
import { ProviderKeys } from './provider-keys';
import { Sessions } from './sessions';
import { Tokens } from './tokens';

const route = getRouteApi('/account');

const tabs = {
  profile: Profile,
  sessions: Sessions,
  communities: Communities,
  tokens: Tokens,
  keys: ProviderKeys,
  credits: CreditLedger,
  audit: AuditLog,
} as const;
type Tab = keyof typeof tabs;
const names = Object.keys(tabs) as Tab[];

/** The account of the person: profile, tokens, keys, credits and the audit log. */
export default function AccountView() {
  const search = route.useSearch();
  const tab = names.find((each) => each === search.tab) ?? 'profile';
  const Contents = tabs[tab];
  return (
    <Page title={accountTexts.title}>
      <nav className="tabs" aria-label={accountTexts.title}>
        {names.map((name) => (
          <Link key={name} to="/account" search={{ tab: name }} aria-current={name === tab ? 'page' : undefined}>
            {accountTexts.tabs[name]}
          </Link>
        ))}
      </nav>
      <section className="panel scroll">
        <Contents />
      </section>
    </Page>
  );
}
