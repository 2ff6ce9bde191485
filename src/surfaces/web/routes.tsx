/** The addresses of the pages of an organization, below `/app/o/<organization_id>`. */
import { Center, Loader } from '@mantine/core';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import type { UndoStack } from '../../features/canvas/client/undo-stack.ts';
import type { WorkflowClient } from '../client/client.ts';
import type { CanvasConnection } from './canvas/canvas-connection.ts';
import { buildBase, pageHistory } from './frame/address.ts';
import { BrokenPage, MissingPage } from './frame/error-pages.tsx';
import type { EffectSearch } from './effects/effect-search.ts';
import { Shell } from './frame/shell.tsx';
import { WorkflowsPage } from './pages/workflows.tsx';
import type { RunSearch } from './runs/run-search.ts';
import type { QuestionSearch } from './runs/question-search.ts';
import type { AppConfig, UserSession } from './session/session.ts';
import { words } from './words.ts';

/** Context of every page: the client, and the organization that it shows. */
export interface AppContext {
  readonly client: WorkflowClient;
  readonly session: UserSession;
  readonly config: AppConfig;
  readonly organizationId: string;
  /** By workflow_id, for the canvases that were open in this tab. */
  readonly undoStacks: Map<string, UndoStack>;
  /** By workflow_id: canvases that were left with unsent edits, and are closed once these are sent. */
  readonly leaving: Map<string, CanvasConnection>;
  /** Shows an organization that the person has just become a member of. */
  readonly enter: (organizationId: string) => Promise<void>;
}

const root = createRootRouteWithContext<{ readonly app: AppContext }>()({
  component: Shell,
  notFoundComponent: MissingPage,
});

const workflows = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: ({ search }: Record<string, unknown>): { search?: string } =>
    typeof search === 'string' && search !== '' ? { search } : {},
  component: WorkflowsPage,
});
const workflow = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$workflowId',
  validateSearch: ({
    node,
    run,
    restore,
    compose,
  }: Record<string, unknown>): { node?: string; run?: string; restore?: string; compose?: true } => ({
    ...(typeof node === 'string' ? { node } : {}),
    ...(typeof run === 'string' ? { run } : {}),
    ...(typeof restore === 'string' ? { restore } : {}),
    ...(compose === true ? { compose } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/editor.tsx'), 'EditorPage'),
});
const versions = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$workflowId/versions',
  component: lazyRouteComponent(() => import('./pages/versions.tsx'), 'VersionsPage'),
});
const compareVersions = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$workflowId/compare',
  validateSearch: ({ from, to }: Record<string, unknown>): { from?: string; to?: string } => ({
    ...(typeof from === 'string' ? { from } : {}),
    ...(typeof to === 'string' ? { to } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/compare-versions.tsx'), 'CompareVersionsPage'),
});
const rehearsals = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$workflowId/rehearsals',
  component: lazyRouteComponent(() => import('./pages/rehearsals.tsx'), 'RehearsalsPage'),
});
const rehearsal = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$workflowId/rehearsals/$rehearsalId',
  component: lazyRouteComponent(() => import('./pages/rehearsal.tsx'), 'RehearsalPage'),
});
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$workflowId/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks.tsx'), 'WebhooksPage'),
});
const questions = createRoute({
  getParentRoute: () => root,
  path: '/questions',
  // The page checks them: it is loaded later than the addresses.
  validateSearch: (search: Record<string, unknown>): QuestionSearch => search,
  component: lazyRouteComponent(() => import('./pages/questions.tsx'), 'QuestionsPage'),
});
const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  // The page checks them: it is loaded later than the addresses.
  validateSearch: (search: Record<string, unknown>): RunSearch => search,
  component: lazyRouteComponent(() => import('./pages/runs.tsx'), 'RunsPage'),
});
const effects = createRoute({
  getParentRoute: () => root,
  path: '/effects',
  // The page checks them: it is loaded later than the addresses.
  validateSearch: (search: Record<string, unknown>): EffectSearch => search,
  component: lazyRouteComponent(() => import('./pages/effects.tsx'), 'EffectsPage'),
});
const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$runPk',
  component: lazyRouteComponent(() => import('./pages/run.tsx'), 'RunPage'),
});
const compare = createRoute({
  getParentRoute: () => root,
  path: '/runs/$runPk/compare/$otherPk',
  component: lazyRouteComponent(() => import('./pages/compare.tsx'), 'ComparePage'),
});
const apiKeys = createRoute({
  getParentRoute: () => root,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('./pages/api-keys.tsx'), 'ApiKeysPage'),
});
const schedules = createRoute({
  getParentRoute: () => root,
  path: '/schedules',
  component: lazyRouteComponent(() => import('./pages/schedules.tsx'), 'SchedulesPage'),
});
const notifications = createRoute({
  getParentRoute: () => root,
  path: '/notifications',
  component: lazyRouteComponent(() => import('./pages/notifications.tsx'), 'NotificationsPage'),
});
const members = createRoute({
  getParentRoute: () => root,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/members.tsx'), 'MembersPage'),
});
const auditLog = createRoute({
  getParentRoute: () => root,
  path: '/audit-log',
  component: lazyRouteComponent(() => import('./pages/audit-log.tsx'), 'AuditLogPage'),
});
const effectRules = createRoute({
  getParentRoute: () => root,
  path: '/effect-rules',
  component: lazyRouteComponent(() => import('./pages/effect-rules.tsx'), 'EffectRulesPage'),
});
const budgets = createRoute({
  getParentRoute: () => root,
  path: '/budgets',
  component: lazyRouteComponent(() => import('./pages/budgets.tsx'), 'BudgetsPage'),
});
const data = createRoute({
  getParentRoute: () => root,
  path: '/data',
  component: lazyRouteComponent(() => import('./pages/data.tsx'), 'DataPage'),
});
const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  component: lazyRouteComponent(() => import('./pages/usage.tsx'), 'UsagePage'),
});
const credentials = createRoute({
  getParentRoute: () => root,
  path: '/credentials',
  component: lazyRouteComponent(() => import('./pages/credentials.tsx'), 'CredentialsPage'),
});
const knowledgeBases = createRoute({
  getParentRoute: () => root,
  path: '/knowledge-bases',
  component: lazyRouteComponent(() => import('./pages/knowledge-bases.tsx'), 'KnowledgeBasesPage'),
});
const knowledgeBase = createRoute({
  getParentRoute: () => root,
  path: '/knowledge-bases/$knowledgeId',
  component: lazyRouteComponent(() => import('./pages/knowledge-base.tsx'), 'KnowledgeBasePage'),
});
const tables = createRoute({
  getParentRoute: () => root,
  path: '/tables',
  component: lazyRouteComponent(() => import('./pages/tables.tsx'), 'TablesPage'),
});
const table = createRoute({
  getParentRoute: () => root,
  path: '/tables/$tableId',
  component: lazyRouteComponent(() => import('./pages/table.tsx'), 'TablePage'),
});
const files = createRoute({
  getParentRoute: () => root,
  path: '/files',
  component: lazyRouteComponent(() => import('./pages/files.tsx'), 'FilesPage'),
});

const chats = createRoute({
  getParentRoute: () => root,
  path: '/chats',
  component: lazyRouteComponent(() => import('./pages/chats.tsx'), 'ChatsPage'),
});
const chat = createRoute({
  getParentRoute: () => root,
  path: '/chats/$chatId',
  component: lazyRouteComponent(() => import('./pages/chats.tsx'), 'ChatsPage'),
});
const support = createRoute({
  getParentRoute: () => root,
  path: '/support',
  component: lazyRouteComponent(() => import('./pages/support.tsx'), 'SupportPage'),
});

const routeTree = root.addChildren([
  workflows,
  workflow,
  versions,
  compareVersions,
  rehearsals,
  rehearsal,
  webhooks,
  questions,
  runs,
  effects,
  run,
  compare,
  apiKeys,
  schedules,
  notifications,
  members,
  auditLog,
  effectRules,
  budgets,
  data,
  usage,
  credentials,
  knowledgeBases,
  knowledgeBase,
  tables,
  files,
  table,
  chats,
  chat,
  support,
]);

/** Routes of one organization; its links need not name it. */
export const createPageRouter = (organizationId: string) =>
  createRouter({
    routeTree,
    history: pageHistory,
    basepath: buildBase(organizationId),
    context: undefined as unknown as { readonly app: AppContext },
    defaultErrorComponent: BrokenPage,
    defaultPendingComponent: () => (
      <Center p="xl">
        <Loader role="status" aria-label={words.loading} />
      </Center>
    ),
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}
