/** The builder of an object: a row for each key and its value, which is a template. */
import { useState } from 'react';
import { formatPointer, getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { isObject } from '../../../language/graph/values/value.ts';
import { useEditing } from '../canvas/context.ts';
import { fieldWords } from '../words-fields.ts';
import { AddButton } from './add-button.tsx';
import { listDeclaredFields } from './entity.ts';
import type { Field } from '../../../language/nodes/form-field.ts';
import { JsonToggle } from './json-toggle.tsx';
import { KeyInput } from './key-input.tsx';
import { describeProblem } from './problem-words.ts';
import { TextOrJson } from './text-or-json.tsx';
import { renameEntry, useObjectEntries } from './use-change.ts';
import { findProblems, formatFieldPointer, type FieldProps } from './field-place.ts';

/** Objects whose values are sent as text. */
const TEXTS: readonly Field['pairs'][] = ['headers', 'query'];

export function Pairs(props: FieldProps) {
  const { config, field, problems, isReadOnly } = props;
  const { connection } = useEditing();
  const [isAdding, setAdding] = useState(false);
  const stored = getAt(config, parsePointer(field.ptr)) ?? {};
  const { entries, change } = useObjectEntries(props);
  const kind = field.pairs ?? 'fields';
  const words = fieldWords.pairs[kind];
  const suggestions = field.pairs === 'state' ? listDeclaredFields(connection.view) : [];
  const undoEdit = `edit ${field.label.toLowerCase()}`;
  const pointTo = (key: string): string => formatPointer([...parsePointer(formatFieldPointer(props)), key]);
  const keys = new Set(entries.map(([key]) => key));
  const without = (key: string): ReadonlySet<string> => new Set([...keys].filter((one) => one !== key));
  const describe = (key: string): string =>
    findProblems(problems, pointTo(key)).map(describeProblem).join(' ');
  return (
    <JsonToggle
      {...props}
      canBuild={isObject(stored)}
      hasText={kind === 'body'}
      action={<AddButton label={words.add} isReadOnly={isReadOnly} onClick={() => setAdding(true)} />}
    >
      {entries.map(([key, item]) => (
        <TextOrJson
          key={key}
          entity={props.entity}
          ptr={pointTo(key)}
          label={fieldWords.value(field.label, key)}
          value={item}
          problem={describe(key)}
          isReadOnly={isReadOnly}
          hasJson={!TEXTS.includes(kind)}
          head={
            <KeyInput
              label={words.key}
              name={key}
              suggestions={suggestions}
              taken={without(key)}
              isReadOnly={isReadOnly}
              onName={(to) => change((now) => renameEntry(now, key, to), fieldWords.undoRename(key, to))}
            />
          }
          deleteLabel={fieldWords.deleteKey(key)}
          onDelete={() => change((now) => now.filter(([one]) => one !== key), undoEdit)}
        />
      ))}
      {isAdding && (
        <KeyInput
          label={words.key}
          name=""
          suggestions={suggestions}
          taken={keys}
          isReadOnly={isReadOnly}
          autoFocus
          onName={(name) => {
            setAdding(false);
            change((now) => [...now, [name, '']], fieldWords.undoAdd(name));
          }}
        />
      )}
    </JsonToggle>
  );
}
