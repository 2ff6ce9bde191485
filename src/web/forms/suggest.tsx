/** A text with suggestions: any other text may be typed, too. */
import { Autocomplete } from '@mantine/core';
import { readText } from '../canvas/binding.ts';
import { DraftNotes } from './draft-notes.tsx';
import { useDraft } from './draft.ts';
import { toText } from './formats.ts';
import { MODELS } from './model-names.ts';
import { joinMessages } from './problem-words.ts';
import { formatFieldPointer, type FieldProps } from './write-config.ts';

function listSuggestions({ config, field }: FieldProps): readonly string[] {
  if (field.suggestions === 'providers') return Object.keys(MODELS);
  const provider = readText(config, 'provider');
  return Object.hasOwn(MODELS, provider) ? (MODELS[provider] ?? []) : [];
}

export function Suggest(props: FieldProps) {
  const { entity, field, problems, isReadOnly } = props;
  const draft = useDraft({ entity, ptr: formatFieldPointer(props), label: field.label, format: 'line' });
  return (
    <>
      <Autocomplete
        label={field.label}
        placeholder={field.hint}
        disabled={isReadOnly && draft.draft === undefined}
        error={draft.draft?.problem ?? (joinMessages(problems) || undefined)}
        data={[...listSuggestions(props)]}
        value={toText(draft.typed)}
        onChange={draft.change}
        onBlur={draft.leave}
      />
      <DraftNotes {...draft} />
    </>
  );
}
