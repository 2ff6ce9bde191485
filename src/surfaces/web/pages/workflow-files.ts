/** Workflows as files of JSON: what is imported, and what is exported. */
import { cutText } from '../../../language/graph/values/cut-text.ts';
import { parseExactJson } from '../../../language/graph/values/exact-json.ts';
import { isObject, type JsonObject } from '../../../language/graph/values/value.ts';
import { saveFile } from '../kit/save-file.ts';

/** A definition of its own, or a record as GET /workflows/{workflow_id} answers it. */
export function parseDefinition(text: string): JsonObject | null {
  try {
    const given = parseExactJson(text);
    if (!isObject(given)) return null;
    const inner = isObject(given['workflow_schema']) ? given['workflow_schema'] : given;
    return Array.isArray(inner['nodes']) && Array.isArray(inner['edges']) ? inner : null;
  } catch {
    return null;
  }
}

/** Saves a value as a JSON file that is named like the workflow. */
export function saveAsFile(name: string, value: unknown): void {
  const file = cutText(name.replaceAll(/[^\p{L}\p{N}-]+/gu, '-'), 60) || 'workflow';
  saveFile(`${file}.json`, JSON.stringify(value, null, 2));
}
