/** Extracts the answer from the text of a model: removes thinking, and fences and prose around JSON. */

const OPENED = /^\s*<(think|thinking|reasoning)>/;
const CLOSED = /<\/(?:think|thinking|reasoning)>/;
const FENCE = /^\s*(?:```|~~~)/;

/** Removes the thinking that some servers leave in the text. */
export function stripThinking(content: string): string {
  const text = content.replace(/^\uFEFF/, '');
  const opened = OPENED.exec(text)?.[1];
  if (opened !== undefined) {
    const end = `</${opened}>`;
    const at = text.indexOf(end);
    return at < 0 ? text : text.slice(at + end.length);
  }
  // Prompt templates of some models open the block, so the text only has its end.
  const closed = CLOSED.exec(text);
  return closed === null ? text : text.slice(closed.index + closed[0].length);
}

/** The contents of code fences, the last one first. A fence begins a line, and no line of JSON begins like one. */
function findFenced(text: string): string[] {
  const found: string[] = [];
  let open: string[] | null = null;
  for (const line of text.split('\n')) {
    const isFence = FENCE.test(line);
    if (!isFence) open?.push(line);
    else if (open === null) open = [];
    else {
      found.push(open.join('\n'));
      open = null;
    }
  }
  if (open !== null) found.push(open.join('\n'));
  return found.toReversed();
}

/** The texts in braces and brackets, the longest first: a list must not be taken for its first entry. */
function findBracketed(text: string): string[] {
  const between = (first: string, last: string): string => {
    const at = text.indexOf(first);
    return at < 0 ? '' : text.slice(at, text.lastIndexOf(last) + 1);
  };
  const pieces = [between('{', '}'), between('[', ']')];
  return pieces.filter((piece) => piece !== '').toSorted((a, b) => b.length - a.length);
}

/**
 * Parses the JSON in a model's answer.
 * @param parse parses a text that is only JSON; throws SyntaxError
 * @throws SyntaxError of the most likely piece
 */
export function parseJsonAnswer<Read>(content: string, parse: (text: string) => Read): Read {
  const answer = stripThinking(content);
  const pieces = [...findFenced(answer), ...findBracketed(answer)];
  let problem: SyntaxError | null = null;
  for (const piece of [content, answer, ...pieces]) {
    try {
      return parse(piece);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (problem === null || piece === pieces[0]) problem = error;
    }
  }
  throw problem ?? new SyntaxError('it is empty');
}
