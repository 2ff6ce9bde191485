/** Pins: outputs that stand in for nodes in test runs alone, kept beside the nodes in `metadata.canvas.pins` by node id. */
import { isObject, ownValue, setOwn, type Json, type JsonObject } from '../values/value.ts';

/** A pin holds the output itself, or, where that is too large, names the step of the run that has it. */
type Pin = { readonly output: Json } | { readonly run_pk: string; readonly step_id: string };

/** Reads the pins in the metadata of a definition, by node id, including those of deleted nodes. */
export function readPins(metadata: Json | undefined): JsonObject {
  const pins = ownValue(ownValue(metadata, 'canvas'), 'pins');
  return isObject(pins) ? pins : {};
}

/** Parses one pin; null when the value is not a pin. */
export function parsePin(value: Json | undefined): Pin | null {
  if (!isObject(value)) return null;
  const { output, run_pk, step_id } = value;
  if (typeof run_pk === 'string' && typeof step_id === 'string') return { run_pk, step_id };
  return output === undefined ? null : { output };
}

/** Sets or removes (null) the pin of a node. Pins of deleted nodes are removed, too. */
export function withPin(definition: JsonObject, nodeId: string, pin: Pin | null): JsonObject {
  const metadata = objectAt(definition, 'metadata');
  const canvas = objectAt(metadata, 'canvas');
  const listed = ownValue(definition, 'nodes');
  const nodeIds = new Set((Array.isArray(listed) ? listed : []).map((node) => ownValue(node, 'id')));
  const pins: JsonObject = {};
  for (const [id, value] of Object.entries(readPins(metadata)))
    if (id !== nodeId && nodeIds.has(id)) setOwn(pins, id, value);
  if (pin !== null) setOwn(pins, nodeId, { ...pin });
  const { pins: _, ...others } = canvas;
  const isEmpty = Object.keys(pins).length === 0;
  if (isEmpty && canvas['pins'] === undefined) return definition;
  return { ...definition, metadata: { ...metadata, canvas: isEmpty ? others : { ...others, pins } } };
}

/** Makes the definition of a test run: pinned nodes return their outputs, and the pins themselves are left out. */
export function mockPins(definition: JsonObject, outputs: ReadonlyMap<string, Json>): JsonObject {
  const metadata = objectAt(definition, 'metadata');
  const { pins: _, ...canvas } = objectAt(metadata, 'canvas');
  const listed = ownValue(definition, 'nodes');
  const nodes = (Array.isArray(listed) ? listed : []).map((node): Json => {
    const id = ownValue(node, 'id');
    if (!isObject(node) || typeof id !== 'string') return node;
    const output = outputs.get(id);
    return output === undefined ? node : { ...node, mock: { enabled: true, output } };
  });
  return { ...definition, metadata: { ...metadata, canvas }, nodes };
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = ownValue(object, key);
  return isObject(value) ? value : {};
}
