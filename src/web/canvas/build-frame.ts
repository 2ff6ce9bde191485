/** The nodes and edges of a definition, laid out as the canvas does, where nobody edits it. */
import { readDocument } from '../../canvas/room/document.ts';
import type { JsonObject } from '../../graph/value.ts';
import { Binding, type Frame } from './binding.ts';

/** Lays out a definition. */
export function buildFrame(definition: JsonObject): Frame {
  const given = { drags: new Map(), isOverview: false };
  return new Binding().next(readDocument(definition), { nodes: [], edges: [] }, given);
}
