/** The editor alone on a page, for tests: who signs in stands in the page's address. */
import '@mantine/core/styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Editor } from '../../../src/web/canvas/editor.tsx';
import { contrasts, theme } from '../../../src/web/kit/theme.ts';

const given = new URLSearchParams(location.hash.slice(1));
const at = (name: string): string => given.get(name) ?? '';
const session = { token: () => Promise.resolve(at('token')) };
const root = document.querySelector('#root');
if (root !== null) {
  createRoot(root).render(
    <MantineProvider defaultColorScheme="auto" theme={theme} cssVariablesResolver={contrasts}>
      <QueryClientProvider client={new QueryClient()}>
        <main style={{ height: '100vh' }}>
          <Editor
            workflowId={at('workflow')}
            organizationId={at('org')}
            session={session}
            realtimeUrl={at('realtime')}
          />
        </main>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
