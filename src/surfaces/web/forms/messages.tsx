/** The messages of a model's prompt: a role and a template each. */
import { Button, NativeSelect } from '@mantine/core';
import { Plus } from 'lucide-react';
import { formatPointer } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json } from '../../../language/graph/values/value.ts';
import { DeleteButton } from '../kit/delete-button.tsx';
import type { Entity } from './entity.ts';
import { nameOption } from './option-names.ts';
import { TextBox } from './text-box.tsx';
import { useList } from './use-change.ts';
import type { FieldProps } from './field-place.ts';
import { editorWords } from '../words-editor.ts';

const ROLES = ['system', 'user', 'assistant'];

interface MessageProps {
  readonly entity: Entity;
  readonly message: Json;
  readonly index: number;
  readonly isReadOnly: boolean;
  readonly onRole: (role: string) => void;
  /** Null for the only message. */
  readonly onDelete: (() => void) | null;
}

function Message({ entity, message, index, isReadOnly, onRole, onDelete }: MessageProps) {
  const role = ownValue(message, 'role');
  const ptr = formatPointer(['config', 'messages', String(index), 'content']);
  return (
    <div className="wc-card">
      <div className="wc-card-head">
        <NativeSelect
          size="xs"
          aria-label={editorWords.messages.role(index + 1)}
          disabled={isReadOnly}
          data={ROLES.map((one) => ({ value: one, label: nameOption(one) }))}
          value={typeof role === 'string' ? role : 'user'}
          onChange={({ currentTarget }) => onRole(currentTarget.value)}
        />
        <DeleteButton
          disabled={isReadOnly || onDelete === null}
          label={editorWords.messages.delete(index + 1)}
          onClick={() => onDelete?.()}
        />
      </div>
      <TextBox
        field={{ entity, ptr, label: editorWords.messages.one(index + 1), format: 'text' }}
        language="template"
        isReadOnly={false}
      />
    </div>
  );
}

export function Messages(props: FieldProps) {
  const { entity, isReadOnly } = props;
  const { list: messages, keys, change } = useList(props);
  const without = (index: number) => (): void => {
    change((now) => now.toSpliced(index, 1), editorWords.messages.undoDelete);
  };
  return (
    <div className="wc-stack">
      {messages.map((message, index) => (
        <Message
          key={keys[index]}
          entity={entity}
          message={message}
          index={index}
          isReadOnly={isReadOnly}
          onRole={(role) =>
            change(
              (now) => now.map((one, at) => (at === index ? { ...(isObject(one) ? one : {}), role } : one)),
              editorWords.messages.undoRole,
            )
          }
          onDelete={messages.length === 1 ? null : without(index)}
        />
      ))}
      <Button
        size="xs"
        variant="light"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={isReadOnly}
        onClick={() => change((now) => [...now, { role: 'user', content: '' }], editorWords.messages.undoAdd)}
      >
        {editorWords.messages.add}
      </Button>
    </div>
  );
}
