/** The editor alone on a page, for tests: who signs in stands in the page's address. */
import '@mantine/core/styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Editor } from '../../../src/web/canvas/editor.tsx';

const given = new URLSearchParams(location.hash.slice(1));
const at = (name: string): string => given.get(name) ?? '';
const session = { token: () => Promise.resolve(at('token')) };
const root = document.querySelector('#root');
if (root !== null) {
  createRoot(root).render(
    <MantineProvider defaultColorScheme={at('scheme') === 'dark' ? 'dark' : 'light'}>
      <QueryClientProvider client={new QueryClient()}>
        <div style={{ height: '100vh' }}>
          <Editor
            workflowId={at('workflow')}
            organizationId={at('org')}
            session={session}
            realtimeUrl={at('realtime')}
          />
        </div>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
