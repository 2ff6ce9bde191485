/** Below a template: its value with the outputs that this page knows. */
import { useSyncExternalStore } from 'react';
import { shortenText } from '../../graph/cut-text.ts';
import type { Json } from '../../graph/value.ts';
import { useEditing } from '../canvas/context.ts';
import { readKnownValues } from '../text/known-values.ts';
import { renderTemplate, type Rendered } from '../text/rendered-value.ts';
import { fieldWords } from '../words-fields.ts';
import type { FieldDraft } from './draft.ts';
import { FORMATS, toText } from './formats.ts';

const MAX_SHOWN = 600;

const describeRendered = (rendered: Rendered): string | null => {
  if (rendered.kind === 'invalid') return null;
  if (rendered.kind === 'unknown') return fieldWords.notRunYet;
  if (rendered.kind === 'missing') return fieldWords.missing(rendered.reference, rendered.available);
  const { value } = rendered;
  return shortenText(typeof value === 'string' ? value : JSON.stringify(value), MAX_SHOWN);
};

export function RenderedValue({ field, typed }: Pick<FieldDraft, 'field' | 'typed'>) {
  const text = toText(typed);
  return text.includes('{{') ? <TemplateValue field={field} typed={typed} /> : null;
}

function TemplateValue({ field, typed }: Pick<FieldDraft, 'field' | 'typed'>) {
  const { connection } = useEditing();
  const { board } = connection;
  const shown = useSyncExternalStore(
    (listener) => {
      const [stopBoard, stopDocument] = [board.subscribe(listener), connection.subscribe(listener)];
      return () => {
        stopBoard();
        stopDocument();
      };
    },
    () => {
      const reading = FORMATS[field.format].read(typed);
      if (!('value' in reading)) return null;
      const template: Json = reading.value ?? null;
      const known = readKnownValues(connection.view, board);
      return describeRendered(renderTemplate(connection.view, { entity: field.entity, template }, known));
    },
  );
  if (shown === null) return null;
  return (
    <output className="wc-rendered" aria-label={fieldWords.preview(field.label)}>
      {shown}
    </output>
  );
}
