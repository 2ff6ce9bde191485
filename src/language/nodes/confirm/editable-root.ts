/** The parts of requests that people may edit before they leave. */
import type { AnyEffect } from '../effect.ts';

/** The first part of the paths that may be edited, by door. */
const EDITABLE_ROOTS: Readonly<Record<AnyEffect['door'], string | null>> = {
  http: 'body',
  mcp: 'arguments',
  run: 'input',
  search: 'query',
  table: 'given',
  model: 'messages',
  message: null,
};

/** @returns null when nothing of such a request may be edited */
export const getEditableRoot = (door: AnyEffect['door']): string | null => EDITABLE_ROOTS[door];
