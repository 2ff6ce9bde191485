/** Authorizes an account at its OAuth provider in a pop-up window, so that the page keeps what is typed. */
import { useEffect, useRef } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Body, Reply } from '../../client/operations.ts';
import { awaitResponse, providerAddress } from '../session/authorization.ts';
import { credentialWords } from '../words-credentials.ts';
import { words } from '../words.ts';

type AuthorizationRequest = Body<'startAuthorization'>;
export type Credential = Reply<'createCredential'>;

interface Authorization {
  /** Call it in a click handler: browsers block other pop-ups. @throws Error when access is denied or cancelled */
  readonly authorize: (request: AuthorizationRequest) => Promise<Credential>;
  readonly cancel: () => void;
}

async function authorizeInWindow(
  client: WorkflowClient,
  request: AuthorizationRequest,
  signal: AbortSignal,
): Promise<Credential> {
  const popup = window.open('about:blank', '_blank', 'popup,width=640,height=760');
  if (popup === null) throw new Error(words.windowBlocked);
  try {
    const started = await client.request('POST', '/credentials/oauth/start', { body: request, signal });
    popup.location.href = providerAddress(started.authorization_url);
    const { state, code, error } = await awaitResponse(started.state, signal);
    const body = { state, ...(code === null ? { error: error ?? 'refused' } : { code }) };
    return await client.request('POST', '/credentials/oauth/callback', { body, signal });
  } catch (error) {
    popup.close();
    throw error;
  }
}

export function useAuthorization(client: WorkflowClient): Authorization {
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(new Error(credentialWords.authorizationCancelled)), []);
  return {
    authorize: (request) => {
      current.current?.abort(new Error(credentialWords.authorizationCancelled));
      current.current = new AbortController();
      return authorizeInWindow(client, request, current.current.signal);
    },
    cancel: () => current.current?.abort(new Error(credentialWords.authorizationCancelled)),
  };
}
