/** The builder of a JSON Schema of an object: a card for each field; objects, and lists of objects, have fields inside. */
import { NativeSelect, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { DeleteButton } from '../kit/delete-button.tsx';
import { readText } from '../canvas/binding.ts';
import { findFreeId } from '../canvas/node-ids.ts';
import { editorWords } from '../words-editor.ts';
import { fieldWords } from '../words-fields.ts';
import { AddButton } from './add-button.tsx';
import { PROPERTY, QUESTION, TYPE } from './envelope-fields.ts';
import type { Field } from '../../../language/nodes/form-field.ts';
import { isShown } from './fields.ts';
import { JsonToggle } from './json-toggle.tsx';
import { KeyInput } from './key-input.tsx';
import {
  addProperty,
  canBuildProperty,
  canBuildSchema,
  isEmptySchema,
  listProperties,
  removeProperty,
  renameProperty,
  requireProperty,
} from './schema-edits.ts';
import { useChange } from './use-change.ts';
import { placeInside, type FieldProps } from './field-place.ts';

const { schema: said } = editorWords;

interface BuilderProps extends FieldProps {
  /** One field of a card: the form that shows this builder shows its fields, too. */
  readonly showField: (props: FieldProps) => ReactNode;
}

/** The builder of a whole schema, which can be edited as JSON instead. */
export const Schema = (props: BuilderProps) => (
  <JsonToggle
    {...props}
    canBuild={canBuildSchema(getAt(props.config, parsePointer(props.field.ptr)))}
    action={<span />}
  >
    <SchemaBuilder {...props} />
  </JsonToggle>
);

/** Edits the schema; one without fields is removed, but inside of another it stays the type of its field. */
function useSchemaEdit(
  props: FieldProps,
): (edit: (now: Json | undefined) => JsonObject, label: string) => void {
  const change = useChange(props);
  const isInner = ['', '/items'].includes(props.field.ptr);
  return (edit, label) =>
    change((now) => {
      const next = edit(now);
      return isEmptySchema(next) && !isInner ? undefined : next;
    }, label);
}

function SchemaBuilder(props: BuilderProps) {
  const { field, config, isReadOnly } = props;
  const edit = useSchemaEdit(props);
  const properties = listProperties(getAt(config, parsePointer(field.ptr)));
  const listNames = (schema: Json | undefined) => new Set(listProperties(schema).map(({ name }) => name));
  return (
    <div className="wc-stack">
      {properties.map((property) => (
        <PropertyCard
          key={property.name}
          {...props}
          {...property}
          fields={field.ptr === '/form' ? QUESTION : PROPERTY}
          taken={new Set(properties.map(({ name }) => name).filter((name) => name !== property.name))}
        />
      ))}
      <div>
        <AddButton
          label={said.add}
          isReadOnly={isReadOnly}
          onClick={() => edit((now) => addProperty(now, findFreeId('field', listNames(now))), said.undoAdd)}
        />
      </div>
    </div>
  );
}

interface CardProps extends BuilderProps {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
  readonly fields: readonly Field[];
  /** Names of the other fields. */
  readonly taken: ReadonlySet<string>;
}

function PropertyCard({ name, schema, isRequired, fields, taken, ...props }: CardProps) {
  const { field, isReadOnly, showField } = props;
  const edit = useSchemaEdit(props);
  const path = [...parsePointer(field.ptr), 'properties', name];
  const config = isObject(schema) ? schema : {};
  const label = fieldWords.value(field.label, name);
  const types = fields.find(({ ptr }) => ptr === '/type')?.options ?? [];
  const canBuild = canBuildProperty(schema, types);
  return (
    <div className="wc-card" role="group" aria-label={label}>
      <div className="wc-card-head">
        <KeyInput
          label={said.name}
          name={name}
          taken={taken}
          isReadOnly={isReadOnly}
          onName={(to) => edit((now) => renameProperty(now, name, to), fieldWords.undoRename(name, to))}
        />
        <DeleteButton
          label={fieldWords.deleteKey(name)}
          disabled={isReadOnly}
          onClick={() => edit((now) => removeProperty(now, name), said.undoDelete)}
        />
      </div>
      <Switch
        label={said.required}
        disabled={isReadOnly}
        checked={isRequired}
        onChange={({ currentTarget: { checked } }) =>
          edit((now) => requireProperty(now, name, checked), said.undoRequire)
        }
      />
      {canBuild ? (
        fields
          .filter((one) => isShown(one, config))
          .map((inner) => (
            <div key={`${inner.ptr} ${inner.widget}`}>
              {showField(placeInside(props, { path, config, field: inner }))}
            </div>
          ))
      ) : (
        <>{showField(placeInside(props, { path, config, field: { ptr: '', label, widget: 'json' } }))}</>
      )}
      {canBuild && <Inside {...props} label={label} path={path} schema={config} />}
    </div>
  );
}

interface InsideProps extends BuilderProps {
  readonly label: string;
  readonly path: readonly string[];
  readonly schema: JsonObject;
}

/** The fields of an object, and the items of a list. */
function Inside({ label, path, schema, ...props }: InsideProps) {
  const type = readText(schema, 'type');
  const place = (ptr: string, config: JsonObject) =>
    placeInside(props, { path, config, field: { ptr, label, widget: 'schema' } });
  if (type === 'object') return <SchemaBuilder {...place('', schema)} showField={props.showField} />;
  if (type !== 'array') return null;
  const items = ownValue(schema, 'items');
  return (
    <>
      <ItemType {...place('/items', schema)} />
      {isObject(items) && readText(items, 'type') === 'object' && (
        <SchemaBuilder {...place('/items', schema)} showField={props.showField} />
      )}
    </>
  );
}

/** The type of a list's items: a list of lists is written as JSON. */
function ItemType(props: FieldProps) {
  const change = useChange(props);
  const items = getAt(props.config, parsePointer(props.field.ptr));
  const types = (TYPE.options ?? []).filter((type) => type !== 'array');
  const type = isObject(items) ? readText(items, 'type') : '';
  return (
    <NativeSelect
      label={said.items}
      disabled={props.isReadOnly}
      data={[
        ...(types.includes(type) ? [] : [{ value: type, label: said.anyType }]),
        ...types.map((value) => ({ value, label: TYPE.labels?.[value] ?? value })),
      ]}
      value={type}
      onChange={({ currentTarget: { value } }) => change(() => ({ type: value }), said.undoItems)}
    />
  );
}
