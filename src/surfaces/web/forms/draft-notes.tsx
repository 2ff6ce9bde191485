/** Below a field: a colleague's version that meets one's own, and an own text that a colleague has replaced. */
import { Button, Group } from '@mantine/core';
import type { Json } from '../../../language/graph/values/value.ts';
import { useEditing } from '../canvas/context.ts';
import { fieldWords } from '../words-fields.ts';
import type { FieldDraft } from './draft.ts';
import { FORMATS } from './formats.ts';
import type { UnsavedDraft } from './draft-store.ts';
import { formatDraftKey, type Draft } from './kept-drafts.ts';

const formatVersion = (typed: Json): string =>
  typed === '' || typed === null
    ? fieldWords.empty
    : typeof typed === 'string'
      ? typed
      : JSON.stringify(typed, null, 2);

function Version({ title, typed }: { readonly title: string; readonly typed: Json }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <pre tabIndex={0} aria-label={title}>
          {formatVersion(typed)}
        </pre>
      </dd>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly onClick: () => void;
}

const ChoiceButton = ({ label, onClick }: ChoiceProps) => (
  <Button size="compact-xs" variant="default" onClick={onClick}>
    {label}
  </Button>
);

function CopyMine({ typed }: { readonly typed: Json }) {
  // A page that is not served securely has no clipboard.
  if (!('clipboard' in navigator)) return null;
  const copy = (): void => void navigator.clipboard.writeText(formatVersion(typed));
  return <ChoiceButton label={fieldWords.copyMine} onClick={copy} />;
}

/** The choice between the own text and a colleague's. */
function Conflict({ draft, theirs }: { readonly draft: Draft; readonly theirs: Json }) {
  const { drafts } = useEditing().connection;
  const key = formatDraftKey(draft);
  const name = drafts.authors.find(draft.entity);
  return (
    <>
      <p>{fieldWords.bothChanged(name)}</p>
      <dl>
        <Version title={fieldWords.mine} typed={draft.typed} />
        <Version title={fieldWords.theirs(name)} typed={theirs} />
      </dl>
      <Group gap={4}>
        <ChoiceButton label={fieldWords.keepMine} onClick={() => drafts.resolve(key, 'mine')} />
        <ChoiceButton label={fieldWords.takeTheirs} onClick={() => drafts.resolve(key, 'theirs')} />
        {FORMATS[draft.format].merging === 'text' && (
          <ChoiceButton label={fieldWords.keepBoth} onClick={() => drafts.resolve(key, 'both')} />
        )}
        <CopyMine typed={draft.typed} />
      </Group>
    </>
  );
}

/** A text that is not saved, away from its field, which may not be there any more. */
export function UnsavedText({ unsaved }: { readonly unsaved: UnsavedDraft }) {
  const { key, label, typed, draft, isGone } = unsaved;
  const { drafts } = useEditing().connection;
  return (
    <section className="wc-versions" role="group" aria-label={label}>
      <b>{label}</b>
      {draft?.theirs === undefined ? (
        <>
          {draft !== null && draft.problem !== null && <p>{draft.problem}</p>}
          <dl>
            <Version title={fieldWords.mine} typed={typed} />
          </dl>
          <Group gap={4}>
            {isGone && (
              <ChoiceButton label={fieldWords.putNodeBack} onClick={() => drafts.held.putBack(unsaved)} />
            )}
            <CopyMine typed={typed} />
            <ChoiceButton label={fieldWords.discard} onClick={() => drafts.withdraw(key)} />
          </Group>
        </>
      ) : (
        <Conflict draft={draft} theirs={draft.theirs} />
      )}
    </section>
  );
}

export function DraftNotes({ field, draft, replaced, typed, change, leave, withdraw }: FieldDraft) {
  const { drafts } = useEditing().connection;
  const key = formatDraftKey(field);
  if (draft?.theirs !== undefined)
    return (
      <section className="wc-versions" role="alert" aria-label={fieldWords.notSaved(field.label)}>
        <Conflict draft={draft} theirs={draft.theirs} />
      </section>
    );
  if (draft !== undefined && draft.problem !== null && !draft.isFocused)
    return (
      <div>
        <ChoiceButton label={fieldWords.discard} onClick={withdraw} />
      </div>
    );
  if (replaced === undefined) return null;
  const putBack = (): void => {
    change(replaced.mine);
    leave();
  };
  return (
    <section className="wc-versions" role="group" aria-label={fieldWords.wasReplaced(replaced.by)}>
      <p>{fieldWords.wasReplaced(replaced.by)}</p>
      <dl>
        <Version title={fieldWords.mine} typed={replaced.mine} />
        <Version title={fieldWords.theirs(replaced.by)} typed={typed} />
      </dl>
      <Group gap={4}>
        <ChoiceButton label={fieldWords.putBack} onClick={putBack} />
        <ChoiceButton label={fieldWords.dismiss} onClick={() => drafts.dismissReplaced(key)} />
        <CopyMine typed={replaced.mine} />
      </Group>
    </section>
  );
}
