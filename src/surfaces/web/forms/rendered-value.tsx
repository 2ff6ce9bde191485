/** Below a template: its value with the outputs that this page knows. */
import { useSyncExternalStore } from 'react';
import { shortenText } from '../../../language/graph/values/cut-text.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import { useEditing } from '../canvas/context.ts';
import { readKnownValues } from '../text/known-values.ts';
import { renderTemplate, type RenderResult } from '../text/rendered-value.ts';
import { fieldWords } from '../words-fields.ts';
import type { FieldDraft } from './draft.ts';
import type { Entity } from './entity.ts';
import { FORMATS, toText } from './formats.ts';

const MAX_SHOWN = 600;

const describeRendered = (rendered: RenderResult): string | null => {
  if (rendered.kind === 'invalid') return null;
  if (rendered.kind === 'unknown') return fieldWords.notRunYet;
  if (rendered.kind === 'missing') return fieldWords.missing(rendered.reference, rendered.available);
  const { value } = rendered;
  return shortenText(typeof value === 'string' ? value : JSON.stringify(value), MAX_SHOWN);
};

interface TemplateProps {
  readonly entity: Entity;
  readonly ptr: string;
  readonly label: string;
  readonly template: Json;
}

/** The value of what is typed into a field; nothing for text without a template. */
export function RenderedField({ field, typed }: Pick<FieldDraft, 'field' | 'typed'>) {
  if (!toText(typed).includes('{{')) return null;
  const reading = FORMATS[field.format].read(typed);
  return 'value' in reading ? <TemplateValue {...field} template={reading.value ?? null} /> : null;
}

/** The value of a template that is part of a field. */
export const RenderedPart = (props: TemplateProps) =>
  toText(props.template).includes('{{') ? <TemplateValue {...props} /> : null;

function TemplateValue({ entity, ptr, label, template }: TemplateProps) {
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
      const known = readKnownValues(connection.view, board);
      return describeRendered(renderTemplate(connection.view, { entity, ptr, template }, known));
    },
  );
  if (shown === null) return null;
  return (
    <output className="wc-rendered" aria-label={fieldWords.preview(label)}>
      {shown}
    </output>
  );
}
