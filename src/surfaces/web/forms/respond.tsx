/** The response of a node to the webhook request that waits for it: status, content type, headers and body. */
import { Button } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { isObject } from '../../../language/graph/values/value.ts';
import { fieldWords } from '../words-fields.ts';
import type { Field } from '../../../language/nodes/form-field.ts';
import { filterFields } from './fields.ts';
import { JsonToggle } from './json-toggle.tsx';
import { useChange } from './use-change.ts';
import { placeInside, type FieldProps } from './field-place.ts';

const { respond: said } = fieldWords;

const RESPONSE: readonly Field[] = [
  { ptr: '/respond/status', label: 'Status', widget: 'operand', description: said.status },
  {
    ptr: '/respond/content_type',
    label: 'Content type',
    widget: 'select',
    labels: {
      'application/json': 'JSON',
      'text/plain': 'Text',
      'text/csv': 'CSV',
      'application/xml': 'XML',
      'text/xml': 'XML (text/xml)',
    },
  },
  { ptr: '/respond/headers', label: 'Response headers', widget: 'pairs', pairs: 'headers' },
  {
    ptr: '/respond/body',
    label: 'Response body',
    widget: 'pairs',
    pairs: 'body',
    description: said.body,
  },
];

interface RespondProps extends FieldProps {
  /** One field of the response: the form that shows this builder shows its fields, too. */
  readonly showField: (props: FieldProps) => ReactNode;
}

export function Respond({ showField, ...props }: RespondProps) {
  const { config, field, isReadOnly } = props;
  const change = useChange(props);
  const stored = getAt(config, parsePointer(field.ptr)) ?? null;
  const fields = filterFields('transformer', RESPONSE, config);
  const isKnown = (key: string): boolean => fields.some(({ ptr }) => ptr === `${field.ptr}/${key}`);
  const Icon = stored === null ? Plus : Trash2;
  return (
    <JsonToggle
      {...props}
      canBuild={stored === null || (isObject(stored) && Object.keys(stored).every(isKnown))}
      action={
        <Button
          size="compact-xs"
          variant="light"
          leftSection={<Icon size={14} aria-hidden />}
          disabled={isReadOnly}
          onClick={() =>
            stored === null
              ? change(() => ({ status: 200 }), said.undoAdd)
              : change(() => undefined, said.undoDelete)
          }
        >
          {stored === null ? said.add : said.delete}
        </Button>
      }
    >
      {stored === null ? (
        <p className="wc-empty">{said.none}</p>
      ) : (
        <div className="wc-card">
          {fields.map((inner) => (
            <div key={inner.ptr}>{showField(placeInside(props, { path: [], config, field: inner }))}</div>
          ))}
        </div>
      )}
    </JsonToggle>
  );
}
