/** Authorizes an account at its provider, in a window of its own, while the page stays as it is. */
import { useEffect, useRef } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Body, Reply } from '../../client/operations.ts';
import { awaitReturned, providerAddress } from '../session/authorization.ts';
import { words } from '../words.ts';

type Asked = Body<'startAuthorization'>;
export type Credential = Reply<'createCredential'>;

export interface Authorization {
  /** Called by a click: browsers open no window otherwise. @throws Error when it is refused or given up */
  readonly authorize: (asked: Asked) => Promise<Credential>;
  readonly giveUp: () => void;
}

async function inWindow(client: WorkflowClient, asked: Asked, signal: AbortSignal): Promise<Credential> {
  const shown = window.open('about:blank', '_blank', 'popup,width=640,height=760');
  if (shown === null) throw new Error(words.windowBlocked);
  try {
    const begun = await client.request('POST', '/credentials/oauth/start', { body: asked, signal });
    shown.location.href = providerAddress(begun.authorization_url);
    const { state, code, error } = await awaitReturned(begun.state, signal);
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
    authorize: (asked) => {
      current.current?.abort(new Error(words.givenUp));
      current.current = new AbortController();
      return inWindow(client, asked, current.current.signal);
    },
    giveUp: () => current.current?.abort(new Error(words.givenUp)),
  };
}
