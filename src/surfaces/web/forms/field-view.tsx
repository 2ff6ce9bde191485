/** Renders one field of a node's form with its label, control and problems. */
import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { lazy, Suspense, useId, useState } from 'react';
import type { Problem } from '../../../language/graph/definition/definition.ts';
import { parsePointer, getAt } from '../../../language/graph/values/pointer.ts';
import { Cases } from './cases.tsx';
import { DraftNotes } from './draft-notes.tsx';
import { useDraft } from './draft.ts';
import { Entries, type EntryKind } from './entries.tsx';
import type { Widget } from '../../../language/nodes/form-field.ts';
import type { FormatName } from './formats.ts';
import { JsonToggle } from './json-toggle.tsx';
import { Messages } from './messages.tsx';
import { nameOption } from './option-names.ts';
import { Rules } from './rule-group.tsx';
import { readObjects } from './rules.tsx';
import { readText } from '../canvas/binding.ts';
import { fieldWords } from '../words-fields.ts';
import { TextBox } from './text-box.tsx';
import { joinMessages } from './problem-words.ts';
import { Choices, Lines } from './texts.tsx';
import { formatFieldPointer, type FieldProps } from './field-place.ts';
import { toText } from './formats.ts';

// Comboboxes and the credential form are large, so the editor loads them on first use.
const Pairs = lazy(async () => ({ default: (await import('./pairs.tsx')).Pairs }));
const Suggest = lazy(async () => ({ default: (await import('./suggest.tsx')).Suggest }));
const Picker = lazy(async () => ({ default: (await import('./picker.tsx')).Picker }));
const Inputs = lazy(async () => ({ default: (await import('./inputs.tsx')).Inputs }));
const Schema = lazy(async () => ({ default: (await import('./schema-builder.tsx')).Schema }));
const Values = lazy(async () => ({ default: (await import('./values.tsx')).Values }));
const Respond = lazy(async () => ({ default: (await import('./respond.tsx')).Respond }));
const Filters = lazy(async () => ({ default: (await import('./filters.tsx')).Filters }));
const McpToolPicker = lazy(async () => ({ default: (await import('./picker.tsx')).McpToolPicker }));

const PICKERS: readonly Widget[] = ['credential', 'bases', 'workflow', 'table', 'integration', 'action'];

/** Controls of several inputs: they are a labelled group instead of an input with a label. */
const GROUPS: readonly Widget[] = [
  'template',
  'code',
  'json',
  'messages',
  'cases',
  'rules',
  'pairs',
  'bases',
  'tools',
  'checks',
  'parameters',
  'actions',
  'choices',
  'sort',
  'aggregates',
  'chats',
  'schema',
  'inputs',
  'optional',
  'scalar',
  'operand',
  'values',
  'respond',
  'filters',
];

/** Text editors, which show their own problems. */
const TEXTS: readonly Widget[] = ['template', 'code', 'json', 'optional', 'scalar', 'operand'];

/** Lists whose entries show their own problems. */
const LISTS: readonly Widget[] = [
  'pairs',
  'tools',
  'checks',
  'parameters',
  'actions',
  'sort',
  'aggregates',
  'chats',
  'schema',
  'inputs',
  'values',
  'respond',
  'filters',
];

/** Lists of entries that are edited as JSON as well. */
const TOGGLED: readonly EntryKind[] = ['parameters', 'actions', 'sort', 'aggregates', 'chats'];

const isEntryKind = (widget: Widget): widget is EntryKind =>
  widget === 'tools' || widget === 'checks' || TOGGLED.some((kind) => kind === widget);

/** Returns the problems of the field itself; the entries of a list show theirs. */
const findOwnProblems = ({ field, base = ['config'], problems }: FieldProps) => {
  const depth = base.length + parsePointer(field.ptr).length;
  const isOwn = ({ path }: Problem): boolean => path.length - (path[0] === 'config' ? 1 : 2) <= depth;
  return LISTS.includes(field.widget) ? problems.filter(isOwn) : problems;
};

export function FieldView(props: FieldProps) {
  const { field } = props;
  const problems = findOwnProblems(props);
  const id = useId();
  const isGroup = GROUPS.includes(field.widget);
  // A field that is disabled under its caret drops the next key. Its draft waits until a colleague's lock is gone.
  const [hasFocus, setFocus] = useState(false);
  const staysOpen = hasFocus && (!isGroup || TEXTS.includes(field.widget));
  return (
    <div
      className="wc-field"
      data-entity={props.entity}
      data-field={formatFieldPointer(props)}
      role={isGroup ? 'group' : undefined}
      aria-labelledby={isGroup ? id : undefined}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      {isGroup && (
        <div className="wc-label" id={id}>
          {field.label}
          {field.isRequired === true && <span className="wc-required"> *</span>}
        </div>
      )}
      {isGroup && field.description !== undefined && <p className="wc-hint">{field.description}</p>}
      <Suspense>
        <Control {...props} isReadOnly={props.isReadOnly && !staysOpen} />
      </Suspense>
      {problems.length > 0 && isGroup && !TEXTS.includes(field.widget) && (
        <p className="wc-trouble">{joinMessages(problems)}</p>
      )}
    </div>
  );
}

function Control(props: FieldProps) {
  const { field } = props;
  if (field.widget === 'messages') return <Messages {...props} />;
  if (field.widget === 'cases') return <Cases {...props} />;
  const showField = (inner: FieldProps) => <FieldView {...inner} />;
  if (isEntryKind(field.widget)) {
    const entries = <Entries {...props} kind={field.widget} showField={showField} />;
    if (!TOGGLED.includes(field.widget)) return entries;
    return (
      <JsonToggle {...props} canBuild action={<span />}>
        {entries}
      </JsonToggle>
    );
  }
  if (field.widget === 'schema') return <Schema {...props} showField={showField} />;
  if (field.widget === 'inputs') return <Inputs {...props} showField={showField} />;
  if (field.widget === 'respond') return <Respond {...props} showField={showField} />;
  if (field.widget === 'filters') return <Filters {...props} showField={showField} />;
  if (field.widget === 'values') return <Values {...props} />;
  if (field.widget === 'answer') return <AnswerSelect {...props} />;
  if (field.widget === 'pairs') return <Pairs {...props} />;
  if (field.widget === 'rules') return <Rules {...props} />;
  if (field.widget === 'suggest') return <Suggest {...props} />;
  if (field.widget === 'lines') return <Lines {...props} />;
  if (field.widget === 'choices') return <Choices {...props} />;
  if (field.widget === 'mcp_tool')
    return <McpToolPicker {...props} otherwise={<PlainControl {...props} />} />;
  if (PICKERS.includes(field.widget)) return <Picker {...props} />;
  if (TEXTS.includes(field.widget)) return <TextControl {...props} />;
  return <PlainControl {...props} />;
}

const PLAIN_FORMATS: Partial<Record<Widget, FormatName>> = {
  switch: 'value',
  select: 'value',
  number: 'number',
};

function PlainControl(props: FieldProps) {
  const { entity, config, field, problems } = props;
  const format = PLAIN_FORMATS[field.widget] ?? 'line';
  const draft = useDraft({ entity, ptr: formatFieldPointer(props), label: field.label, format });
  const isSet = draft.draft !== undefined || getAt(config, parsePointer(field.ptr)) !== undefined;
  const value = isSet || format !== 'value' ? draft.typed : (field.fallback ?? draft.typed);
  const inputProps = {
    label: field.label,
    description: field.description,
    withAsterisk: field.isRequired === true,
    disabled: props.isReadOnly && draft.draft === undefined,
    error: draft.draft?.problem ?? (joinMessages(problems) || undefined),
    onBlur: draft.leave,
  };
  return (
    <>
      {field.widget === 'switch' && (
        <Switch
          {...inputProps}
          checked={value === true}
          onChange={({ currentTarget }) => draft.change(currentTarget.checked)}
        />
      )}
      {field.widget === 'select' && (
        <NativeSelect
          {...inputProps}
          data={(field.options ?? []).map((option) => ({
            value: option,
            label: field.labels?.[option] ?? nameOption(option),
          }))}
          value={typeof value === 'string' ? value : ''}
          onChange={({ currentTarget }) => draft.change(currentTarget.value)}
        />
      )}
      {format !== 'value' && (
        <TextInput
          {...inputProps}
          inputMode={format === 'number' ? 'decimal' : undefined}
          placeholder={field.hint ?? toText(field.fallback ?? '')}
          value={toText(value ?? '')}
          onChange={({ currentTarget }) => draft.change(currentTarget.value)}
        />
      )}
      <DraftNotes {...draft} />
    </>
  );
}

/** Offers the answers of the question itself. */
function AnswerSelect(props: FieldProps) {
  const actions = readObjects(getAt(props.config, ['actions']));
  const options = ['', ...actions.map((action) => readText(action, 'id'))];
  const named = actions.map((action) => [readText(action, 'id'), readText(action, 'label')]);
  const labels = Object.fromEntries([['', fieldWords.notSet], ...named.filter(([, label]) => label !== '')]);
  return <PlainControl {...props} field={{ ...props.field, widget: 'select', options, labels }} />;
}

const TEXT_FORMATS: Partial<Record<Widget, FormatName>> = {
  json: 'json',
  optional: 'optional',
  scalar: 'scalar',
  operand: 'operand',
};

function TextControl(props: FieldProps) {
  const { entity, field, problems, isReadOnly } = props;
  const format = TEXT_FORMATS[field.widget] ?? 'text';
  const isJson = field.widget === 'json';
  return (
    <TextBox
      field={{ entity, ptr: formatFieldPointer(props), label: field.label, format }}
      language={field.widget === 'code' ? 'javascript' : isJson ? 'json' : 'template'}
      problem={joinMessages(problems)}
      isReadOnly={isReadOnly && (isJson || format === 'scalar' || format === 'operand')}
    />
  );
}
