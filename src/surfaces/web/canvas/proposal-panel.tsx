/** Lists the changes of a proposal to the current canvas. The user accepts all, some or none of them. */
import { Alert, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { diffToBatch } from '../../../features/canvas/client/difference-ops.ts';
import { readDocument, writeDocument } from '../../../features/canvas/room/document.ts';
import { describePlace } from '../pages/describe-change.ts';
import { editorWords } from '../words-editor.ts';
import { proposalWords } from '../words-proposal.ts';
import { ProposedChanges } from './proposed-changes.tsx';
import { useEditing } from './context.ts';
import { acceptChanges, compareProposal, findDependent, type Proposal } from './proposal.ts';
import { exceedsRoom } from './room-limits.ts';

interface ProposalPanelProps {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}

/** Compares a proposal with the canvas, and again after each edit by anyone. */
export function useComparison(proposal: Proposal) {
  const { connection } = useEditing();
  const view = useSyncExternalStore(connection.subscribe, () => connection.view);
  return useMemo(() => compareProposal(proposal, writeDocument(view)), [proposal, view]);
}

export function ProposalPanel({ proposal, onClose }: ProposalPanelProps) {
  const { connection } = useEditing();
  const comparison = useComparison(proposal);
  const { changes, conflicts, current, merged } = comparison;
  const [rejected, setRejected] = useState<ReadonlySet<string>>(new Set());
  const dependent = findDependent(changes, rejected);
  const count = changes.filter(({ key }) => !rejected.has(key) && !dependent.has(key)).length;
  const accept = (): void => {
    // The server drops changes of nodes that someone else has locked.
    const lock = changes
      .filter(({ what, how, key }) => what === 'node' && how !== 'added' && !rejected.has(key))
      .map(({ id }) => connection.presence.findLock(id))
      .find((found) => found !== null);
    if (lock) return connection.notify('warning', editorWords.notices.locked(lock.name));
    const wanted = readDocument(acceptChanges(writeDocument(connection.view), comparison, rejected));
    const batch = diffToBatch(connection.view, wanted, 'other');
    if (batch !== null && exceedsRoom(connection.view, batch))
      return connection.notify('error', proposalWords.tooLarge);
    if (batch !== null && !connection.edit(batch, { label: proposal.label }))
      return connection.notify('error', proposalWords.notApplied);
    connection.notify('info', proposalWords.accepted);
    onClose();
  };
  const toggle = (key: string, isAccepted: boolean): void =>
    setRejected((now) => {
      const next = new Set(now);
      if (isAccepted) next.delete(key);
      else next.add(key);
      return next;
    });
  return (
    <aside className="wc-panel" aria-label={proposalWords.title}>
      <Stack className="wc-form wc-proposal">
        <Title order={2} size="h4">
          {proposalWords.title}
        </Title>
        <Text size="sm">{proposal.title}</Text>
        {changes.length === 0 && <Text c="dimmed">{proposalWords.none}</Text>}
        {changes.length > 0 && (
          <ProposedChanges
            changes={changes}
            definitions={{ before: current, after: merged }}
            rejected={rejected}
            dependent={dependent}
            onToggle={toggle}
          />
        )}
        {conflicts.length > 0 && (
          <Alert color="orange">
            {proposalWords.conflicts}
            <List>
              {conflicts.map((place) => (
                <List.Item key={place}>{describePlace(place, { before: current, after: merged })}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {proposalWords.reject}
          </Button>
          <Button disabled={count === 0} onClick={accept}>
            {proposalWords.accept(count, changes.length)}
          </Button>
        </Group>
      </Stack>
    </aside>
  );
}
