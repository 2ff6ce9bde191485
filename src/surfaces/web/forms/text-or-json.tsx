/** One value of an object or a list: a text is edited as a template, any other value as JSON. */
import { ActionIcon } from '@mantine/core';
import { Braces, Type } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Json } from '../../../language/graph/values/value.ts';
import { DeleteButton } from '../kit/delete-button.tsx';
import { fieldWords } from '../words-fields.ts';
import { useTypedFormat } from './draft.ts';
import type { Entity } from './entity.ts';
import { TextBox } from './text-box.tsx';

interface TextOrJsonProps {
  readonly entity: Entity;
  readonly ptr: string;
  readonly label: string;
  readonly value: Json;
  readonly problem: string;
  readonly isReadOnly: boolean;
  /** Whether the value may be anything but a text. */
  readonly hasJson: boolean;
  /** Stands before the value: its key. */
  readonly head: ReactNode;
  readonly deleteLabel: string;
  readonly onDelete: () => void;
}

/** A number or a list begins as a text that is switched to JSON. */
export function TextOrJson(props: TextOrJsonProps) {
  const { entity, ptr, label, value, problem, isReadOnly, hasJson } = props;
  const isTypedAsJson = useTypedFormat({ entity, ptr }) === 'json';
  const [isSwitched, setJson] = useState(false);
  const isJson = isTypedAsJson || isSwitched;
  const isText = typeof value === 'string' && !isJson;
  const Icon = isText ? Braces : Type;
  return (
    <div className="wc-card" role="group" aria-label={label}>
      <div className="wc-card-head">
        {props.head}
        {hasJson && typeof value === 'string' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={fieldWords.valueAs(label, isText ? 'JSON' : 'text')}
            title={fieldWords.editAs[isText ? 'json' : 'text']}
            disabled={isReadOnly}
            onClick={() => setJson(isText)}
          >
            <Icon size={14} aria-hidden />
          </ActionIcon>
        )}
        <DeleteButton label={props.deleteLabel} disabled={isReadOnly} onClick={props.onDelete} />
      </div>
      <div data-entity={entity} data-field={ptr}>
        <TextBox
          key={isText ? 'text' : 'json'}
          field={{ entity, ptr, label, format: isText ? 'text' : 'json' }}
          language={isText ? 'template' : 'json'}
          isReadOnly={isReadOnly && !isText}
          problem={problem}
        />
      </div>
    </div>
  );
}
