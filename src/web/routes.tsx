/** The addresses of the page, below /app. */
import { Center, Loader, Text } from '@mantine/core';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import type { UndoStack } from '../canvas/client/undo-stack.ts';
import type { WorkflowClient } from '../client/client.ts';
import { WorkflowsPage } from './pages/workflows.tsx';
import type { RunSearch } from './runs/run-search.ts';
import type { AppConfig, UserSession } from './session/session.ts';
import { words } from './words.ts';

/** Context of every page: the client, and the organization that it shows. */
export interface AppContext {
  readonly client: WorkflowClient;
  readonly session: UserSession;
  readonly config: AppConfig;
  readonly organizationId: string;
  /** Of the canvases that were open in this tab, by workflow_id. */
  readonly undoStacks: Map<string, UndoStack>;
  /** Goes on in another organization, which the person has just come to belong to. */
  readonly enter: (organizationId: string) => Promise<void>;
}

const root = createRootRouteWithContext<{ readonly app: AppContext }>()({
  component: Outlet,
  notFoundComponent: () => <Text p="xl">{words.notFound}</Text>,
});

const workflows = createRoute({ getParentRoute: () => root, path: '/', component: WorkflowsPage });
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
const questions = createRoute({
  getParentRoute: () => root,
  path: '/questions',
  component: lazyRouteComponent(() => import('./pages/questions.tsx'), 'QuestionsPage'),
});
const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  // The page checks them: it is loaded later than the addresses.
  validateSearch: (search: Record<string, unknown>): RunSearch => search,
  component: lazyRouteComponent(() => import('./pages/runs.tsx'), 'RunsPage'),
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
const members = createRoute({
  getParentRoute: () => root,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/members.tsx'), 'MembersPage'),
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

export const router = createRouter({
  routeTree: root.addChildren([
    workflows,
    workflow,
    versions,
    questions,
    runs,
    run,
    compare,
    apiKeys,
    schedules,
    members,
    usage,
    credentials,
    knowledgeBases,
    knowledgeBase,
    chats,
    chat,
    support,
  ]),
  basepath: '/app',
  context: undefined as unknown as { readonly app: AppContext },
  defaultPendingComponent: () => (
    <Center p="xl">
      <Loader role="status" aria-label={words.loading} />
    </Center>
  ),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
