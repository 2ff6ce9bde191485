/** Cancels or reruns many runs: asks with their number first, then shows progress and failures. */
import { Alert, Button, Group, List, Modal, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { RunListItem } from '../../client/openapi.ts';
import { moment } from '../kit/moment.ts';
import { describeError } from '../kit/describe-error.ts';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';
import { runInBulk, type BulkProgress } from './bulk.ts';

export type BulkAction = 'cancel' | 'rerun';

const isOpen = ({ status }: RunListItem): boolean => status === 'running' || status === 'interrupted';

/** Returns the runs that the action applies to. A run without its values has no input to start again with. */
export const selectEligible = (runs: readonly RunListItem[], action: BulkAction): readonly RunListItem[] =>
  runs.filter((run) => (action === 'cancel' ? isOpen(run) : !isOpen(run) && run.values_deleted_at === null));

function requestAction(client: WorkflowClient, action: BulkAction, run: RunListItem): Promise<unknown> {
  if (action === 'cancel') return client.runs.cancel(run.run_id);
  return client.request('POST', '/workflow-runs/{run_pk}/rerun', {
    path: { run_pk: run.id },
    // The question says that effects are repeated.
    body: run.status === 'failed' ? { from: 'failed' } : { confirm_effects: true },
  });
}

interface BulkProps {
  readonly client: WorkflowClient;
  /** Null: the dialog is closed. */
  readonly action: BulkAction | null;
  /** All selected runs, including those that the action does not apply to. */
  readonly runs: readonly RunListItem[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function BulkDialog({ client, action, runs, onClose, onDone }: BulkProps) {
  return (
    <Modal
      opened={action !== null}
      onClose={onClose}
      title={action === null ? '' : runWords.bulk[action].title}
      size="lg"
    >
      {action !== null && (
        <BulkForm client={client} action={action} runs={runs} onClose={onClose} onDone={onDone} />
      )}
    </Modal>
  );
}

function BulkForm({ client, action, runs: selected, onClose, onDone }: BulkProps & { action: BulkAction }) {
  // The list changes while the runs are worked on: cancelled ones are no longer open.
  const [runs] = useState(() => selectEligible(selected, action));
  const [progress, setProgress] = useState<BulkProgress<RunListItem> | null>(null);
  const [others] = useState(selected.length - runs.length);
  const text = runWords.bulk[action];
  const isDone = progress !== null && progress.done === progress.total;
  const start = async (): Promise<void> => {
    await runInBulk(runs, (run) => requestAction(client, action, run), setProgress);
    onDone();
  };
  return (
    <Stack>
      {progress === null ? (
        <>
          <Text>{text.question(runs.length)}</Text>
          {others > 0 && <Text c="dimmed">{text.others(others)}</Text>}
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={onClose}>
              {words.close}
            </Button>
            <Button {...(action === 'cancel' ? { color: 'red.9' } : {})} onClick={() => void start()}>
              {text.confirm(runs.length)}
            </Button>
          </Group>
        </>
      ) : (
        <>
          <Progress
            value={(100 * progress.done) / progress.total}
            aria-label={text.title}
            transitionDuration={0}
          />
          <Text role="status">{text.progress(progress.done - progress.failures.length, progress.total)}</Text>
          {progress.failures.length > 0 && (
            <Alert color="red" role="alert" title={runWords.bulkFailures(progress.failures.length)}>
              <List size="sm">
                {progress.failures.map(({ item, error }) => (
                  <List.Item key={item.id}>
                    {item.workflow_name}, {moment(item.created_at)}: {describeError(error)}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" disabled={!isDone} onClick={onClose}>
              {words.close}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
