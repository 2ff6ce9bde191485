/** The icons of the kinds of nodes. */
import {
  BookOpen,
  Bot,
  Circle,
  Code,
  Hand,
  ShieldCheck,
  Shuffle,
  Sparkles,
  Split,
  Wrench,
  type LucideIcon,
} from 'lucide-react';
import type { KindLook } from './kinds.ts';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  book: BookOpen,
  bot: Bot,
  code: Code,
  hand: Hand,
  shield: ShieldCheck,
  shuffle: Shuffle,
  sparkles: Sparkles,
  split: Split,
  wrench: Wrench,
};

export function NodeIcon({ look, size = 18 }: { readonly look: KindLook; readonly size?: number }) {
  const Icon = ICONS[look.icon] ?? Circle;
  return (
    <span
      className="wc-icon"
      style={{ '--wc-hue': `var(--mantine-color-${look.color}-6)` } as React.CSSProperties}
    >
      <Icon size={size} aria-hidden />
    </span>
  );
}
