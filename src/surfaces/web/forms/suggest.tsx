/** A text with suggestions: any other text may be typed, too. */
import { Autocomplete } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readText } from '../canvas/binding.ts';
import { useEditing } from '../canvas/context.ts';
import { fieldWords } from '../words-fields.ts';
import { DraftNotes } from './draft-notes.tsx';
import { useDraft } from './draft.ts';
import { toText } from './formats.ts';
import { MODELS } from './model-names.ts';
import { joinMessages } from './problem-words.ts';
import { formatFieldPointer, type FieldProps } from './field-place.ts';

/** As long as the server keeps a list. */
const FRESH_MS = 5 * 60_000;
/** The provider of the managed endpoint. */
const MANAGED = 'openai';

/** The models that the provider lists, or known ones of it; and a sentence when it refused or did not answer. */
function useModels({ config, field }: FieldProps) {
  const { client, organizationId } = useEditing();
  const [provider, credential] = [readText(config, 'provider'), readText(config, 'credential_id')];
  const list = useQuery({
    queryKey: [organizationId, 'models', credential],
    queryFn: () =>
      client.request('GET', '/models', { query: credential === '' ? {} : { credential_id: credential } }),
    enabled: field.suggestions === 'models' && (credential !== '' || provider === MANAGED),
    staleTime: FRESH_MS,
    retry: false,
  });
  const listed = (list.data?.models ?? []).map(({ id }) => id);
  const known = Object.hasOwn(MODELS, provider) ? (MODELS[provider] ?? []) : [];
  return { models: listed.length > 0 ? listed : known, reason: list.data?.reason ?? null };
}

export function Suggest(props: FieldProps) {
  const { entity, field, problems, isReadOnly } = props;
  const draft = useDraft({ entity, ptr: formatFieldPointer(props), label: field.label, format: 'line' });
  const { models, reason } = useModels(props);
  const suggestions = field.suggestions === 'models' ? models : Object.keys(MODELS);
  return (
    <>
      <Autocomplete
        label={field.label}
        description={reason === null ? undefined : fieldWords.noModels[reason]}
        placeholder={field.hint}
        disabled={isReadOnly && draft.draft === undefined}
        error={draft.draft?.problem ?? (joinMessages(problems) || undefined)}
        data={[...suggestions]}
        limit={200}
        value={toText(draft.typed)}
        onChange={draft.change}
        onBlur={draft.leave}
      />
      <DraftNotes {...draft} />
    </>
  );
}
