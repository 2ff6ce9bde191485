/**
 * The face of a type of node: what people see of it in the menu, on the canvas and in its form. The page loads the faces of all
 * types with its canvas, so a face imports neither its kind nor a package.
 */
import { isObject, ownValue, type JsonObject } from '../graph/values/value.ts';
import type { Field } from './form-field.ts';

/** The parts of the menu, in their order. */
export const FACE_GROUPS = ['models', 'actions', 'flow', 'people', 'data'] as const;
type FaceGroup = (typeof FACE_GROUPS)[number];

export interface NodeFace {
  readonly group: FaceGroup;
  readonly label: string;
  readonly hint: string;
  /** A hue of Mantine's palette. */
  readonly color: string;
  /** A key of the icons in the page's `node-icon.tsx`. */
  readonly icon: string;
  /** The words by which people look for it. */
  readonly keywords: string;
  /** The config of a new node, valid where that is possible without a choice of its author. */
  readonly config: JsonObject;
  /** Common uses, each an entry of the menu. */
  readonly presets?: readonly Preset[];
  /** It sends one request, which people may approve before it leaves (`confirm`). */
  readonly canConfirm?: true;
  /** The fields of its form. The schema says which of them a config has; keys without a field are edited as JSON. */
  readonly fields: readonly Field[];
  /** The handles of a config, in the order in which they are drawn; `default` alone when left out. */
  readonly listHandles?: (config: JsonObject) => readonly Handle[];
  /** The paths that an output always has; none are known when left out. */
  readonly listOutputs?: (config: JsonObject) => readonly string[];
  /** The part of the output whose schema the config has, and where. */
  readonly declaredOutput?: { readonly part: string; readonly schema: readonly string[] };
  /** The top-level config keys that are rendered over an answer and may use the root `response`. */
  readonly responseKeys?: readonly string[];
}

interface Preset {
  /** Its name in the code. */
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: string;
  readonly keywords: string;
  readonly config: JsonObject;
  /** Fields of the node beside its config. */
  readonly more?: JsonObject;
  /** Its part of the menu, where it is not that of the type. */
  readonly group?: FaceGroup;
}

export interface Handle {
  /** The edge's `source_handle`. */
  readonly id: string;
  readonly label: string;
}

/** Reads a text of a config. @param fallback in place of a missing or an empty one */
export function readText(config: JsonObject, key: string, fallback = ''): string {
  const value = ownValue(config, key);
  return typeof value === 'string' && value !== '' ? value : fallback;
}

/** Lists the handles that stand in a list of a config, such as its cases. */
export function listNamedHandles(config: JsonObject, key: string): Handle[] {
  const list = ownValue(config, key);
  return (Array.isArray(list) ? list : []).flatMap((entry) => {
    const id = isObject(entry) ? readText(entry, 'id') : '';
    return !isObject(entry) || id === '' ? [] : [{ id, label: readText(entry, 'label', id) }];
  });
}
