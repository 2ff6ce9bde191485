/** The builder of a list of values, such as the sources of a merge: each is a template or JSON. */
import { formatPointer, getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { editorWords } from '../words-editor.ts';
import { fieldWords } from '../words-fields.ts';
import { AddButton } from './add-button.tsx';
import { JsonToggle } from './json-toggle.tsx';
import { describeProblem } from './problem-words.ts';
import { TextOrJson } from './text-or-json.tsx';
import { useList } from './use-change.ts';
import { findProblems, formatFieldPointer, type FieldProps } from './field-place.ts';

const { sources: said } = editorWords.entries;

export function Values(props: FieldProps) {
  const { config, entity, field, problems, isReadOnly } = props;
  const { list, keys, change } = useList(props);
  const stored = getAt(config, parsePointer(field.ptr)) ?? [];
  const pointTo = (index: number): string =>
    formatPointer([...parsePointer(formatFieldPointer(props)), String(index)]);
  return (
    <JsonToggle
      {...props}
      canBuild={Array.isArray(stored)}
      action={
        <AddButton
          label={said.add}
          isReadOnly={isReadOnly}
          onClick={() => change((now) => [...now, ''], said.undoAdd)}
        />
      }
    >
      {list.map((value, index) => (
        <TextOrJson
          key={keys[index]}
          entity={entity}
          ptr={pointTo(index)}
          label={said.one(index + 1)}
          value={value}
          problem={findProblems(problems, pointTo(index)).map(describeProblem).join(' ')}
          isReadOnly={isReadOnly}
          hasJson
          head={<b>{said.one(index + 1)}</b>}
          deleteLabel={fieldWords.deleteKey(said.one(index + 1))}
          onDelete={() => change((now) => now.toSpliced(index, 1), said.undoDelete)}
        />
      ))}
    </JsonToggle>
  );
}
