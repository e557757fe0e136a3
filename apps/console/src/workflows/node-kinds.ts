import {
  Blocks,
  Bot,
  Braces,
  Circle,
  Globe,
  type LucideIcon,
  Repeat,
  ScanText,
  ShieldCheck,
  Timer,
  UserCheck,
  Vote,
  Webhook,
} from 'lucide-react';

/** The icon of a type of node, and the class that colours it by what it does. */
interface NodeKind {
  icon: LucideIcon;
  className: 'asks-model' | 'has-data' | 'has-graph' | 'waits' | '';
}

const kinds: Readonly<Record<string, NodeKind>> = {
  lens: { icon: ScanText, className: 'asks-model' },
  agent: { icon: Bot, className: 'asks-model' },
  vote: { icon: Vote, className: 'asks-model' },
  assert: { icon: ShieldCheck, className: 'has-data' },
  transform: { icon: Braces, className: 'has-data' },
  http: { icon: Globe, className: 'has-data' },
  map: { icon: Repeat, className: 'has-graph' },
  workflow: { icon: Blocks, className: 'has-graph' },
  delay: { icon: Timer, className: 'waits' },
  approval: { icon: UserCheck, className: 'waits' },
  webhook_wait: { icon: Webhook, className: 'waits' },
};

export const findKind = (type: string): NodeKind => kinds[type] ?? { icon: Circle, className: '' };
