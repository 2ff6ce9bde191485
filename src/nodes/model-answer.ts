/** The answer within what a model wrote: without its thinking, and of JSON also without fences and the words around it. */

const OPENED = /^\s*<(think|thinking|reasoning)>/;
const CLOSED = /<\/(?:think|thinking|reasoning)>/;
const FENCE = /^\s*(?:```|~~~)/;

/** What follows the thinking that some servers leave in the text; the text where there is none, or nothing else. */
export function stripThinking(content: string): string {
  const text = content.replace(/^\uFEFF/, '');
  const opened = OPENED.exec(text)?.[1];
  if (opened !== undefined) {
    const end = `</${opened}>`;
    const at = text.indexOf(end);
    return at < 0 ? text : text.slice(at + end.length);
  }
  // Templates of some models open the block themselves, so that the text has its end alone.
  const closed = CLOSED.exec(text);
  return closed === null ? text : text.slice(closed.index + closed[0].length);
}

/** What stands in fences, the last first. A fence begins a line, which no line within JSON does. */
function fencedIn(text: string): string[] {
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

/** The longest piece first, so that a list is not taken for its first entry, and a footnote not for the answer. */
function bracketedIn(text: string): string[] {
  const between = (first: string, last: string): string => {
    const at = text.indexOf(first);
    return at < 0 ? '' : text.slice(at, text.lastIndexOf(last) + 1);
  };
  const pieces = [between('{', '}'), between('[', ']')];
  return pieces.filter((piece) => piece !== '').toSorted((a, b) => b.length - a.length);
}

/**
 * The JSON that a model answered.
 * @param parse reads a text that is nothing but JSON; throws SyntaxError
 * @throws SyntaxError what is wrong with the piece that looks most like the answer
 */
export function readJsonAnswer<Read>(content: string, parse: (text: string) => Read): Read {
  const answer = stripThinking(content);
  const pieces = [...fencedIn(answer), ...bracketedIn(answer)];
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
