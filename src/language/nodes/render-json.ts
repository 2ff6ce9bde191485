/** Renders JSON templates (graph/template/json-template.ts) of transformers and bodies of HTTP tools. */
import type { JsonPiece } from '../graph/template/json-template.ts';
import { MAX_RENDERED_CHARS, RenderTooLarge } from '../graph/template/render-budget.ts';
import type { PrepareCall } from './kind.ts';

function writePiece(call: PrepareCall<unknown>, piece: JsonPiece): string {
  if (piece.kind === 'literal') return piece.text;
  if (piece.kind === 'text') return JSON.stringify(call.renderText(piece.source)).slice(1, -1);
  const value = call.render(piece.source);
  return piece.isJson && typeof value === 'string' ? value : JSON.stringify(value);
}

/** Renders the pieces to JSON text. @throws RenderTooLarge, and the errors of rendering */
export function renderJson(call: PrepareCall<unknown>, pieces: readonly JsonPiece[]): string {
  let text = '';
  for (const piece of pieces) {
    text += writePiece(call, piece);
    if (text.length > MAX_RENDERED_CHARS)
      throw new RenderTooLarge(`Rendered text is longer than ${MAX_RENDERED_CHARS} characters`);
  }
  return text;
}
