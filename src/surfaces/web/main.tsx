/** The page: its look, who is signed in, and what the address shows. */
import './kit/trusted-types.ts';
import './canvas/jitless.ts';
import './mantine.css';
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { askBeforeLoss } from './canvas/ask-before-loss.ts';
import { contrasts, theme } from './kit/theme.ts';
import { AuthorizationReturn } from './session/authorization-return.tsx';
import { RETURN, takeResponse, handOverResponse } from './session/authorization.ts';
import { isSignInWindow } from './session/session.ts';
import { prepare, SignIn } from './session/sign-in.tsx';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// react-remove-scroll, which keeps the page from scrolling behind a dialog, takes the nonce of its style from here.
Reflect.set(globalThis, '__webpack_nonce__', nonce);
// Invalidates lists fetched before the mutation; the page in view fetches its own list again.
const mutationCache = new MutationCache({
  onSuccess: () => queries.invalidateQueries({ refetchType: 'none' }),
});
const queries: QueryClient = new QueryClient({
  mutationCache,
  defaultOptions: { queries: { retry: 1, staleTime: 5_000, refetchOnWindowFocus: true } },
});
addEventListener('beforeunload', askBeforeLoss);
const root = document.querySelector('#root');
if (root !== null) {
  // Once a page load: a code can be taken once, and React renders twice in development.
  const shown =
    location.pathname === RETURN ? (
      <AuthorizationReturn purpose="account" handedOver={handOverResponse(takeResponse())} />
    ) : isSignInWindow() ? (
      <AuthorizationReturn purpose="signIn" handedOver={handOverResponse(takeResponse())} />
    ) : (
      <SignIn prepared={prepare()} />
    );
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        defaultColorScheme="auto"
        theme={theme}
        cssVariablesResolver={contrasts}
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>{shown}</QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
