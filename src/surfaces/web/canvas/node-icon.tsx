/** The icons of the kinds of nodes. */
import {
  BookOpen,
  Bot,
  Circle,
  Clock,
  Code,
  Database,
  GitBranch,
  Globe,
  Hand,
  MessageSquare,
  Plug,
  Repeat,
  ShieldCheck,
  Shuffle,
  Sparkles,
  Split,
  SquarePen,
  StickyNote,
  Workflow,
  Wrench,
  type LucideIcon,
} from 'lucide-react';
import type { KindStyle } from './kinds.ts';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  book: BookOpen,
  bot: Bot,
  clock: Clock,
  code: Code,
  database: Database,
  form: SquarePen,
  git: GitBranch,
  globe: Globe,
  hand: Hand,
  message: MessageSquare,
  note: StickyNote,
  plug: Plug,
  repeat: Repeat,
  shield: ShieldCheck,
  shuffle: Shuffle,
  sparkles: Sparkles,
  split: Split,
  workflow: Workflow,
  wrench: Wrench,
};

interface NodeIconProps {
  readonly kind: KindStyle;
  readonly size?: number;
  /** The icon alone says the kind. */
  readonly isNamed?: boolean;
}

export function NodeIcon({ kind, size = 18, isNamed = false }: NodeIconProps) {
  const Icon = ICONS[kind.icon] ?? Circle;
  return (
    <span
      className="wc-icon"
      {...(isNamed ? { role: 'img', 'aria-label': kind.label, title: kind.label } : {})}
      style={{ '--wc-hue': `var(--mantine-color-${kind.color}-6)` } as React.CSSProperties}
    >
      <Icon size={size} aria-hidden />
    </span>
  );
}
