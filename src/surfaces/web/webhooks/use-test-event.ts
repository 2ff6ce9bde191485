/** Listens for the next request to a webhook: for a while, until it comes, or until the person stops. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';

const LISTEN_SECONDS = 120;
const POLL_MS = 1_000;

type Delivery = Reply<'listHookDeliveries'>['deliveries'][number];

interface TestListener {
  readonly hookId: string;
  /** The newest delivery before: the next one has another id. Clocks of the page and of the service may differ. */
  readonly newest: string | null;
}

interface ListenOptions {
  readonly client: WorkflowClient;
  readonly workflowId: string;
  readonly onEvent: (delivery: Delivery) => void;
}

export function useTestEvent({ client, workflowId, onEvent }: ListenOptions) {
  const [listening, setListening] = useState<TestListener | null>(null);
  const [isExpired, setExpired] = useState(false);
  const stopped = useRef(Promise.resolve());
  const toPath = (hookId: string) => ({ path: { workflow_id: workflowId, hook_id: hookId } });
  const readNewest = async (hookId: string): Promise<Delivery | null> => {
    const { deliveries } = await client.request(
      'GET',
      '/workflows/{workflow_id}/hooks/{hook_id}/deliveries',
      { ...toPath(hookId), query: { limit: 1 } },
    );
    return deliveries[0] ?? null;
  };
  const start = useMutation({
    mutationFn: async (hookId: string) => {
      // A stop that arrives after this start would end it.
      await stopped.current;
      const newest = (await readNewest(hookId))?.id ?? null;
      await client.request('POST', '/workflows/{workflow_id}/hooks/{hook_id}/listen', {
        ...toPath(hookId),
        body: { seconds: LISTEN_SECONDS },
      });
      return { hookId, newest };
    },
    onMutate: () => setExpired(false),
    onSuccess: setListening,
  });
  const hookId = listening?.hookId;
  const poll = useQuery({
    queryKey: ['test event', hookId],
    queryFn: () => readNewest(hookId ?? ''),
    enabled: hookId !== undefined,
    refetchInterval: POLL_MS,
    gcTime: 0,
  });
  const found = listening !== null && poll.data?.id !== listening.newest ? (poll.data ?? null) : null;
  const take = useEffectEvent((delivery: Delivery) => {
    setListening(null);
    onEvent(delivery);
  });
  useEffect(() => {
    if (found !== null) take(found);
  }, [found]);
  const stop = useEffectEvent((hook: string) => {
    // The wait ends by itself when this fails.
    stopped.current = client
      .request('DELETE', '/workflows/{workflow_id}/hooks/{hook_id}/listen', toPath(hook))
      .then(
        () => undefined,
        () => undefined,
      );
  });
  useEffect(() => {
    if (hookId === undefined) return undefined;
    const timer = setTimeout(() => {
      setExpired(true);
      setListening(null);
    }, LISTEN_SECONDS * 1_000);
    return () => {
      clearTimeout(timer);
      stop(hookId);
    };
  }, [hookId]);
  return {
    isListening: listening !== null,
    isExpired,
    isStarting: start.isPending,
    error: start.error ?? poll.error,
    start: start.mutate,
    cancel: () => setListening(null),
  };
}
