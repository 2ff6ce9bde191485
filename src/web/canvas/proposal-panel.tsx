/** The list of what a proposed change does to the canvas as it is now: accepted or refused as a whole, or one by one. */
import { Alert, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { diffToBatch } from '../../canvas/client/difference-ops.ts';
import { readDocument, writeDocument } from '../../canvas/room/document.ts';
import { describePlace } from '../pages/describe-change.ts';
import { editorWords } from '../words-editor.ts';
import { proposalWords } from '../words-proposal.ts';
import { ProposedChanges } from './proposed-changes.tsx';
import { useEditing } from './context.ts';
import { acceptChanges, compareProposal, findBound, type Proposal } from './proposal.ts';
import { exceedsRoom } from './room-limits.ts';

interface ProposalPanelProps {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}

/** Compares a proposal with the canvas, again with each edit of anybody. */
export function useComparison(proposal: Proposal) {
  const { connection } = useEditing();
  const view = useSyncExternalStore(connection.subscribe, () => connection.view);
  return useMemo(() => compareProposal(proposal, writeDocument(view)), [proposal, view]);
}

export function ProposalPanel({ proposal, onClose }: ProposalPanelProps) {
  const { connection } = useEditing();
  const comparison = useComparison(proposal);
  const { changes, conflicts, current, merged } = comparison;
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const bound = findBound(changes, refused);
  const count = changes.filter(({ key }) => !refused.has(key) && !bound.has(key)).length;
  const accept = (): void => {
    // The server would leave out what changes a node that somebody else has locked.
    const holder = changes
      .filter(({ what, how, key }) => what === 'node' && how !== 'added' && !refused.has(key))
      .map(({ id }) => connection.presence.findLock(id))
      .find((lock) => lock !== null);
    if (holder) return connection.notify('warning', editorWords.notices.locked(holder.name));
    const wanted = readDocument(acceptChanges(writeDocument(connection.view), comparison, refused));
    const batch = diffToBatch(connection.view, wanted, 'other');
    if (batch !== null && exceedsRoom(connection.view, batch))
      return connection.notify('error', proposalWords.tooLarge);
    if (batch !== null && !connection.edit(batch, { label: proposal.label }))
      return connection.notify('error', proposalWords.notApplied);
    connection.notify('info', proposalWords.accepted);
    onClose();
  };
  const toggle = (key: string, isAccepted: boolean): void =>
    setRefused((now) => {
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
            refused={refused}
            bound={bound}
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
            {proposalWords.refuse}
          </Button>
          <Button disabled={count === 0} onClick={accept}>
            {proposalWords.accept(count, changes.length)}
          </Button>
        </Group>
      </Stack>
    </aside>
  );
}
