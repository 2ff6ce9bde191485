/** The list of what a proposed change does to the canvas as it is now: accepted or refused as a whole, or one by one. */
import { Alert, Button, Checkbox, Code, Group, List, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { diffToBatch } from '../../canvas/client/difference-ops.ts';
import { documentSize } from '../../canvas/room/document-measures.ts';
import { readDocument, writeDocument, type CanvasDocument } from '../../canvas/room/document.ts';
import type { BatchOp } from '../../canvas/room/operations.ts';
import { reduce } from '../../canvas/room/reduce.ts';
import { UNLOCKED } from '../../canvas/room/reduction.ts';
import { MAX_DEFINITION_BYTES } from '../../graph/definition-size.ts';
import { ChangeLine } from '../pages/change-line.tsx';
import { editorWords } from '../words-editor.ts';
import { proposalWords } from '../words-proposal.ts';
import { useEditing } from './context.ts';
import { acceptChanges, compareProposal, findBound, type Proposal } from './proposal.ts';

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

/** Whether the room would reject parts of the change: the others would stand there alone. */
function isTooLarge(view: CanvasDocument, wanted: CanvasDocument, batch: BatchOp | null): boolean {
  const bytes = documentSize(wanted);
  if (bytes > MAX_DEFINITION_BYTES && bytes > documentSize(view)) return true;
  const reduction = batch === null ? null : reduce(view, batch, UNLOCKED);
  return reduction?.outcome === 'applied' && reduction.skipped.some(({ code }) => code === 'DOC_TOO_LARGE');
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
    if (isTooLarge(connection.view, wanted, batch)) return connection.notify('error', proposalWords.tooLarge);
    if (batch !== null && !connection.edit(batch, { label: proposal.label }))
      return connection.notify('error', proposalWords.notApplied);
    connection.notify('info', proposalWords.accepted);
    onClose();
  };
  return (
    <aside className="wc-panel" aria-label={proposalWords.title}>
      <Stack className="wc-form">
        <Title order={2} size="h4">
          {proposalWords.title}
        </Title>
        <Text size="sm">{proposal.title}</Text>
        {changes.length === 0 && <Text c="dimmed">{proposalWords.none}</Text>}
        {changes.map((change) => (
          <Checkbox
            key={change.key}
            label={<ChangeLine change={change} definitions={{ before: current, after: merged }} />}
            checked={!refused.has(change.key) && !bound.has(change.key)}
            disabled={bound.has(change.key)}
            onChange={({ currentTarget: { checked } }) =>
              setRefused((now) => {
                const next = new Set(now);
                if (checked) next.delete(change.key);
                else next.add(change.key);
                return next;
              })
            }
          />
        ))}
        {conflicts.length > 0 && (
          <Alert color="orange">
            {proposalWords.conflicts}
            <List>
              {conflicts.map((place) => (
                <List.Item key={place}>
                  <Code>{place}</Code>
                </List.Item>
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
