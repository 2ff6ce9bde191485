/** The id of a node, and its renaming: everything that names the node goes along in one step. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { NODE_ID, RESERVED_NODE_IDS } from '../../graph/definition.ts';
import type { JsonObject } from '../../graph/value.ts';
import { readText } from '../canvas/binding.ts';
import { useEditing } from '../canvas/context.ts';
import { editorWords } from '../words-editor.ts';
import { renameNode, suggestId } from './rename-node.ts';

export interface NodeIdProps {
  readonly nodeId: string;
  readonly node: JsonObject;
  readonly isReadOnly: boolean;
  readonly onRenamed: (id: string) => void;
}

export function NodeId({ nodeId, node, isReadOnly, onRenamed }: NodeIdProps) {
  const { connection } = useEditing();
  const [typed, setTyped] = useState<string | null>(null);
  const id = typed ?? nodeId;
  const describeError = (wanted: string): string | null => {
    if (wanted === nodeId) return null;
    if (!NODE_ID.test(wanted)) return editorWords.node.idInvalid;
    if (RESERVED_NODE_IDS.has(wanted)) return editorWords.node.idReserved;
    return connection.node(wanted) === undefined ? null : editorWords.node.idTaken;
  };
  const rename = (to: string): void => {
    if (describeError(to) !== null) return;
    setTyped(null);
    if (to === nodeId) return;
    const op = renameNode(connection.view, nodeId, to);
    const locked = op.ops
      .flatMap((part) => ('nodeId' in part ? [connection.presence.findLock(part.nodeId)] : []))
      .find((lock) => lock !== null && lock.userId !== connection.presence.me?.userId);
    if (locked) return connection.notify('warning', editorWords.node.idLocked(locked.name));
    if (connection.edit(op, { label: `rename ${nodeId} to ${to}` })) onRenamed(to);
  };
  const suggested = suggestId(connection.view, readText(node, 'name'));
  return (
    <div>
      <TextInput
        label={editorWords.node.id}
        description={editorWords.node.idHint}
        disabled={isReadOnly}
        value={id}
        error={describeError(id)}
        spellCheck={false}
        onBlur={() => rename(id)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') rename(id);
        }}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {suggested !== null && suggested.replace(/_\d+$/, '') !== nodeId.replace(/_\d+$/, '') && (
        <Button size="compact-xs" variant="subtle" disabled={isReadOnly} onClick={() => rename(suggested)}>
          {editorWords.node.useId(suggested)}
        </Button>
      )}
    </div>
  );
}
