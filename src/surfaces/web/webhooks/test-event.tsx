/** Fills the input of a test run with the next request to a webhook. */
import { Button, Group, Loader, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { CopyField } from '../kit/copy-field.tsx';
import { Failure } from '../kit/page.tsx';
import { webhookWords } from '../words-webhooks.ts';
import { words } from '../words.ts';
import { useTestEvent } from './use-test-event.ts';

const { testEvent: said } = webhookWords;

type Hook = Reply<'listHooks'>['hooks'][number];
type Delivery = Reply<'listHookDeliveries'>['deliveries'][number];

interface TestEventProps {
  readonly client: WorkflowClient;
  readonly workflowId: string;
  readonly onInput: (input: JsonObject) => void;
}

/** A request whose mapping fails has no input. */
function describeDelivery({ input, error, outcome }: Delivery): string {
  if (input === null) return error === null ? said.noInput : said.failed(error.message);
  return outcome === 'started' ? said.startedRun : said.received;
}

/** The webhooks page is below the page of the editor. */
const buildWebhooksPath = (): string => `${location.pathname.replace(/\/$/, '')}/webhooks`;

export function TestEvent({ client, workflowId, onInput }: TestEventProps) {
  const [isOpen, setOpen] = useState(false);
  const hooks = useQuery({
    queryKey: ['hooks to listen at', workflowId],
    queryFn: () =>
      client.request('GET', '/workflows/{workflow_id}/hooks', { path: { workflow_id: workflowId } }),
    enabled: isOpen,
  });
  const list = hooks.data?.hooks ?? [];
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{said.title}</summary>
      <Stack gap="xs" mt="xs">
        <Failure error={hooks.error} />
        {hooks.isSuccess && list.length === 0 && (
          <Text size="sm">
            {said.none} <a href={buildWebhooksPath()}>{webhookWords.none.action}</a>
          </Text>
        )}
        {list.length > 0 && (
          <Listener client={client} workflowId={workflowId} hooks={list} onInput={onInput} />
        )}
      </Stack>
    </details>
  );
}

function Listener({
  client,
  workflowId,
  hooks,
  onInput,
}: TestEventProps & { readonly hooks: readonly Hook[] }) {
  const labelId = useId();
  const [chosen, choose] = useState(hooks[0]?.id ?? '');
  const [last, setLast] = useState<Delivery | null>(null);
  const listener = useTestEvent({
    client,
    workflowId,
    onEvent: (delivery) => {
      setLast(delivery);
      if (delivery.input !== null) onInput(delivery.input as JsonObject);
    },
  });
  const hook = hooks.find(({ id }) => id === chosen);
  if (hook === undefined) return null;
  const toggle = (): void => {
    if (listener.isListening) return listener.cancel();
    setLast(null);
    if (!listener.isStarting) listener.start(hook.id);
  };
  return (
    <>
      <NativeSelect
        label={said.webhook}
        data={hooks.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        disabled={listener.isListening}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <Text size="sm" c="dimmed">
        {said.why}
      </Text>
      <Failure error={listener.error} />
      <Stack gap="xs" role="status" aria-labelledby={labelId}>
        {listener.isListening ? (
          <>
            <Group gap="xs">
              <Loader size="xs" aria-hidden />
              <Text size="sm" id={labelId}>
                {said.waiting}
              </Text>
            </Group>
            <CopyField label={webhookWords.copyUrl} value={hook.url} />
          </>
        ) : (
          <Text size="sm" id={labelId}>
            {listener.isExpired ? said.expired : last === null ? '' : describeDelivery(last)}
          </Text>
        )}
      </Stack>
      <div>
        {/* One button for both states, so that it keeps the focus. */}
        <Button variant="default" size="compact-sm" onClick={toggle}>
          {listener.isListening ? words.cancel : said.listen}
        </Button>
      </div>
    </>
  );
}
