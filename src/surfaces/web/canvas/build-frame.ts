/** The nodes and edges of a definition, laid out as the canvas does, where nobody edits it. */
import { readDocument } from '../../../features/canvas/room/document.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { Binding, type Frame } from './binding.ts';

/** Lays out a definition. */
export function buildFrame(definition: JsonObject): Frame {
  const given = { drags: new Map(), isOverview: false };
  return new Binding().next(readDocument(definition), { nodes: [], edges: [] }, given);
}
