/** Authorizes an account at its provider, in a window of its own, while the page stays as it is. */
import { useEffect, useRef } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Body, Reply } from '../../client/operations.ts';
import { awaitReturned, providerAddress } from '../session/authorization.ts';
import { words } from '../words.ts';

type AuthorizationRequest = Body<'startAuthorization'>;
export type Credential = Reply<'createCredential'>;

interface Authorization {
  /** Called by a click: browsers open no window otherwise. @throws Error when it is refused or given up */
  readonly authorize: (request: AuthorizationRequest) => Promise<Credential>;
  readonly giveUp: () => void;
}

async function authorizeInWindow(
  client: WorkflowClient,
  request: AuthorizationRequest,
  signal: AbortSignal,
): Promise<Credential> {
  const shown = window.open('about:blank', '_blank', 'popup,width=640,height=760');
  if (shown === null) throw new Error(words.windowBlocked);
  try {
    const started = await client.request('POST', '/credentials/oauth/start', { body: request, signal });
    shown.location.href = providerAddress(started.authorization_url);
    const { state, code, error } = await awaitReturned(started.state, signal);
    const body = { state, ...(code === null ? { error: error ?? 'refused' } : { code }) };
    return await client.request('POST', '/credentials/oauth/callback', { body, signal });
  } catch (error) {
    shown.close();
    throw error;
  }
}

export function useAuthorization(client: WorkflowClient): Authorization {
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(new Error(words.givenUp)), []);
  return {
    authorize: (request) => {
      current.current?.abort(new Error(words.givenUp));
      current.current = new AbortController();
      return authorizeInWindow(client, request, current.current.signal);
    },
    giveUp: () => current.current?.abort(new Error(words.givenUp)),
  };
}
