/** The addresses of the page, below /app. */
import { Center, Loader, Text } from '@mantine/core';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import type { Workplace } from './app.tsx';
import { RunPage } from './pages/run.tsx';
import { RunsPage } from './pages/runs.tsx';
import { WorkflowsPage } from './pages/workflows.tsx';
import { words } from './words.ts';

const root = createRootRouteWithContext<{ readonly place: Workplace }>()({
  component: Outlet,
  notFoundComponent: () => <Text p="xl">{words.notFound}</Text>,
});

const workflows = createRoute({ getParentRoute: () => root, path: '/', component: WorkflowsPage });
export const workflow = createRoute({
  getParentRoute: () => root,
  path: '/workflows/$workflowId',
  validateSearch: ({ node }: Record<string, unknown>): { node?: string } =>
    typeof node === 'string' ? { node } : {},
  component: lazyRouteComponent(() => import('./pages/editor.tsx'), 'EditorPage'),
});
const runs = createRoute({ getParentRoute: () => root, path: '/runs', component: RunsPage });
const run = createRoute({ getParentRoute: () => root, path: '/runs/$runPk', component: RunPage });

export const router = createRouter({
  routeTree: root.addChildren([workflows, workflow, runs, run]),
  basepath: '/app',
  context: undefined as unknown as { readonly place: Workplace },
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
