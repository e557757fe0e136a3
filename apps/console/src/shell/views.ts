import {
  Activity,
  Blocks,
  Bot,
  CalendarClock,
  CircleUser,
  Database,
  FlaskConical,
  Gauge,
  House,
  Inbox,
  type LucideIcon,
  MessagesSquare,
  ScanText,
  Star,
  Swords,
  Webhook,
} from 'lucide-react';
import { texts } from '../texts';

export interface View {
  to: string;
  name: string;
  icon: LucideIcon;
}

const { navigation } = texts;
const view = (to: string, name: string, icon: LucideIcon): View => ({ to, name, icon });

/** The views by the job that they are for, in the order of the navigation. */
const groups = [
  { name: undefined, views: [view('/', navigation.home, House)] },
  {
    name: navigation.groups.build,
    views: [
      view('/lenses', navigation.lenses, ScanText),
      view('/workflows', navigation.workflows, Blocks),
      view('/agents', navigation.agents, Bot),
      view('/datasets', navigation.datasets, Database),
    ],
  },
  {
    name: navigation.groups.run,
    views: [
      view('/runs', navigation.runs, Activity),
      view('/schedules', navigation.schedules, CalendarClock),
      view('/approvals', navigation.approvals, Inbox),
      view('/webhooks', navigation.webhooks, Webhook),
    ],
  },
  {
    name: navigation.groups.evaluate,
    views: [
      view('/experiments', navigation.experiments, FlaskConical),
      view('/reviews', navigation.reviews, Star),
      view('/battles', navigation.battles, Swords),
    ],
  },
  {
    name: navigation.groups.account,
    views: [view('/account', navigation.account, CircleUser), view('/threads', navigation.threads, MessagesSquare)],
  },
] as const;
const ofOperators = { name: navigation.groups.operate, views: [view('/operator', navigation.operator, Gauge)] };

/** The groups of views that a person may see. */
export const listViewGroups = ({ operator = false }: { operator?: boolean | undefined }) =>
  operator ? [...groups, ofOperators] : groups;
