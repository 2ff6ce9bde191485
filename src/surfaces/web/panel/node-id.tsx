/** The id of a node, and its renaming: everything that names the node goes along in one step. */
import { Button, TextInput } from '@mantine/core';
import type { RenameOp } from '../../../features/canvas/room/operations.ts';
import { expandRename } from '../../../features/canvas/room/rename-node.ts';
import { NODE_ID, RESERVED_NODE_IDS } from '../../../language/graph/definition/definition.ts';
import { ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { useEditing } from '../canvas/context.ts';
import { suggestId } from '../canvas/node-ids.ts';
import { readEntity } from '../forms/entity.ts';
import { useTypedName } from '../forms/use-typed-name.ts';
import { editorWords } from '../words-editor.ts';

interface NodeIdProps {
  readonly nodeId: string;
  readonly node: JsonObject;
  readonly isReadOnly: boolean;
}

export function NodeId({ nodeId, node, isReadOnly }: NodeIdProps) {
  const { connection } = useEditing();
  const describeError = (wanted: string): string | null => {
    if (!NODE_ID.test(wanted)) return editorWords.node.idInvalid;
    if (RESERVED_NODE_IDS.has(wanted)) return editorWords.node.idReserved;
    const fields = readEntity(connection.view, 'state') ?? {};
    const isTaken = connection.node(wanted) !== undefined || ownValue(fields, wanted) !== undefined;
    return isTaken ? editorWords.node.idTaken : null;
  };
  const rename = (to: string): void => {
    const op: RenameOp = { type: 'node:rename', nodeId, newId: to };
    const locked = expandRename(connection.view, op)
      ?.ops.flatMap((part) => ('nodeId' in part ? [connection.presence.findLock(part.nodeId)] : []))
      .find((lock) => lock !== null && lock.userId !== connection.presence.me?.userId);
    if (locked) return connection.notify('warning', editorWords.node.idLocked(locked.name));
    connection.edit(op, { label: `rename ${nodeId} to ${to}` });
  };
  const { input, commit, type, drop } = useTypedName({
    name: nodeId,
    isReadOnly,
    findError: describeError,
    onName: rename,
  });
  const suggested = suggestId(connection.view, readText(node, 'name'));
  return (
    <div>
      <TextInput
        label={editorWords.node.id}
        description={editorWords.node.idHint}
        {...input}
        spellCheck={false}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit();
        }}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      {suggested !== null && suggested.replace(/_\d+$/, '') !== nodeId.replace(/_\d+$/, '') && (
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={isReadOnly}
          onClick={() => {
            drop();
            rename(suggested);
          }}
        >
          {editorWords.node.useId(suggested)}
        </Button>
      )}
    </div>
  );
}
