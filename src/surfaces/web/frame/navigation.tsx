/** The ways to the pages: a sidebar, and on phones a bar at the bottom. */
import { Menu, Text, UnstyledButton } from '@mantine/core';
import { Link, useMatchRoute } from '@tanstack/react-router';
import {
  Bell,
  BookOpen,
  CalendarClock,
  ChartColumn,
  CircleHelp,
  Database,
  Ellipsis,
  Gauge,
  KeyRound,
  LifeBuoy,
  MessagesSquare,
  Paperclip,
  Play,
  ScrollText,
  Send,
  ShieldCheck,
  Table2,
  Terminal,
  Users,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import { words } from '../words.ts';
import { useOpenQuestions } from './use-open-questions.ts';

interface Destination {
  readonly to:
    | '/'
    | '/runs'
    | '/effects'
    | '/questions'
    | '/schedules'
    | '/notifications'
    | '/credentials'
    | '/knowledge-bases'
    | '/tables'
    | '/files'
    | '/chats'
    | '/members'
    | '/audit-log'
    | '/effect-rules'
    | '/budgets'
    | '/data'
    | '/api-keys'
    | '/usage'
    | '/support';
  readonly name: string;
  readonly icon: LucideIcon;
}

const WORKFLOWS: Destination = { to: '/', name: words.workflows, icon: Workflow };
const RUNS: Destination = { to: '/runs', name: words.runs, icon: Play };
const QUESTIONS: Destination = { to: '/questions', name: words.questions, icon: CircleHelp };
const BUILD: readonly Destination[] = [
  { to: '/schedules', name: words.schedules, icon: CalendarClock },
  { to: '/credentials', name: words.credentials, icon: KeyRound },
  { to: '/knowledge-bases', name: words.knowledgeBases, icon: BookOpen },
  { to: '/tables', name: words.tables, icon: Table2 },
  { to: '/files', name: words.files, icon: Paperclip },
  { to: '/chats', name: words.chats, icon: MessagesSquare },
];
const ORGANIZATION: readonly Destination[] = [
  { to: '/effects', name: words.effects, icon: Send },
  { to: '/members', name: words.members, icon: Users },
  { to: '/notifications', name: words.notifications, icon: Bell },
  { to: '/api-keys', name: words.apiKeys, icon: Terminal },
  { to: '/usage', name: words.usage, icon: ChartColumn },
  { to: '/budgets', name: words.budgets, icon: Gauge },
  { to: '/effect-rules', name: words.effectRules, icon: ShieldCheck },
  { to: '/audit-log', name: words.auditLog, icon: ScrollText },
  { to: '/data', name: words.data, icon: Database },
  { to: '/support', name: words.support.title, icon: LifeBuoy },
];
const SECTIONS: readonly (readonly [string | null, readonly Destination[]])[] = [
  [null, [WORKFLOWS, RUNS, QUESTIONS]],
  [words.menu.build, BUILD],
  [words.menu.organization, ORGANIZATION],
];

/** A page below a destination belongs to it; the pages of a workflow belong to the list of workflows. */
function useIsActive(): (to: Destination['to']) => boolean {
  const match = useMatchRoute();
  return (to) =>
    to === '/'
      ? match({ to }) !== false || match({ to: '/workflows/$workflowId', fuzzy: true }) !== false
      : match({ to, fuzzy: true }) !== false;
}

interface DestinationLinkProps {
  readonly destination: Destination;
  readonly isActive: boolean;
  readonly className: string;
  readonly isIconOnly?: boolean;
  /** The number of items that wait there. */
  readonly count?: string | null;
}

function DestinationLink(props: DestinationLinkProps) {
  const { destination, isActive, className, isIconOnly = false, count = null } = props;
  const { to, icon: Icon } = destination;
  const name = count === null ? destination.name : words.menu.counted(destination.name, count);
  return (
    <Link
      to={to}
      className={className}
      data-active={isActive || undefined}
      aria-current={isActive ? 'page' : undefined}
      aria-label={isIconOnly || count !== null ? name : undefined}
      title={isIconOnly ? name : undefined}
    >
      <Icon size={18} strokeWidth={1.75} aria-hidden />
      {!isIconOnly && <span>{destination.name}</span>}
      {/* Its name says the count: as a text of its own it would be read twice. */}
      {count !== null && <span className="frame-count" data-count={count} aria-hidden />}
    </Link>
  );
}

export function Sidebar({ isIconOnly }: { readonly isIconOnly: boolean }) {
  const isActive = useIsActive();
  const openQuestions = useOpenQuestions();
  return (
    <nav aria-label={words.menu.main} className="frame-sidebar">
      {SECTIONS.map(([title, destinations]) => (
        <div key={title} className="frame-section">
          {title !== null && !isIconOnly && (
            <Text size="xs" c="dimmed" fw={600} px={10} pb={4}>
              {title}
            </Text>
          )}
          {destinations.map((destination) => (
            <DestinationLink
              key={destination.to}
              destination={destination}
              isActive={isActive(destination.to)}
              isIconOnly={isIconOnly}
              count={destination === QUESTIONS ? openQuestions : null}
              className="frame-link"
            />
          ))}
        </div>
      ))}
    </nav>
  );
}

export function BottomBar() {
  const isActive = useIsActive();
  const openQuestions = useOpenQuestions();
  const others = [...BUILD, ...ORGANIZATION];
  return (
    <nav aria-label={words.menu.main} className="frame-bar">
      {[QUESTIONS, RUNS, WORKFLOWS].map((destination) => (
        <DestinationLink
          key={destination.to}
          destination={destination}
          isActive={isActive(destination.to)}
          count={destination === QUESTIONS ? openQuestions : null}
          className="frame-bar-link"
        />
      ))}
      <Menu position="top-end" width={220}>
        <Menu.Target>
          <UnstyledButton
            className="frame-bar-link"
            data-active={others.some(({ to }) => isActive(to)) || undefined}
          >
            <Ellipsis size={18} strokeWidth={1.75} aria-hidden />
            <span>{words.menu.more}</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map(({ to, name, icon: Icon }) => (
            <Menu.Item key={to} component={Link} to={to} leftSection={<Icon size={16} aria-hidden />}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}
