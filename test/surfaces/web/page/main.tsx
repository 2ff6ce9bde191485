/** The editor alone on a page, or the pages of runs, for tests: who signs in stands in the page's address. */
import '@mantine/core/styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Editor } from '../../../../src/surfaces/web/canvas/editor.tsx';
import { OwnerContext } from '../../../../src/surfaces/web/kit/owner.ts';
import { contrasts, theme } from '../../../../src/surfaces/web/kit/theme.ts';

const given = new URLSearchParams(location.hash.slice(1));
const at = (name: string): string => given.get(name) ?? '';
const session = { token: () => Promise.resolve(at('token')), subject: at('token') };
const root = document.querySelector('#root');

async function choosePage(): Promise<ReactNode> {
  const organizationId = at('org');
  if (at('workflow') === '') {
    const { RunPages } = await import('./run-pages.tsx');
    return <RunPages organizationId={organizationId} session={session} />;
  }
  return (
    <main style={{ height: '100vh' }}>
      <Editor
        workflowId={at('workflow')}
        organizationId={organizationId}
        session={session}
        realtimeUrl={at('realtime')}
      />
    </main>
  );
}

if (root !== null) {
  createRoot(root).render(
    <MantineProvider defaultColorScheme="auto" theme={theme} cssVariablesResolver={contrasts}>
      <OwnerContext value={{ person: session.subject, organizationId: at('org') }}>
        <QueryClientProvider client={new QueryClient()}>{await choosePage()}</QueryClientProvider>
      </OwnerContext>
    </MantineProvider>,
  );
}
