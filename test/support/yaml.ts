/**
 * Reads the part of YAML that docker-compose.yml is written in: block maps and lists, flow lists and maps, quoted and
 * plain scalars (all as text), literal blocks, anchors, aliases and merge keys. Anything else is an error, not a guess.
 */

export type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml };
type YamlMap = { readonly [key: string]: Yaml };

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly number: number;
}

const ANCHOR = /^&([\w-]+)\s*/;
const KEY = /^("[^"]+"|[^\s#[\]{},][^:#]*?|<<):(?:\s+(.*))?$/;

export const isMap = (value: Yaml | undefined): value is YamlMap =>
  typeof value === 'object' && !Array.isArray(value);

class Reader {
  readonly #lines: Line[];
  readonly #raw: readonly string[];
  readonly #anchors = new Map<string, Yaml>();
  #at = 0;

  constructor(text: string) {
    this.#raw = text.split('\n');
    this.#lines = this.#raw
      .map((raw, number) => ({ indent: raw.length - raw.trimStart().length, text: raw.trim(), number }))
      .filter((line) => line.text !== '' && !line.text.startsWith('#'));
  }

  read(): Yaml {
    const value = this.#block(0);
    const left = this.#lines[this.#at];
    if (left !== undefined) throw this.#problem(left);
    return value;
  }

  #problem(line: Line): Error {
    return new Error(`line ${line.number + 1} is not understood: ${line.text}`);
  }

  #block(indent: number): Yaml {
    return this.#lines[this.#at]?.text.startsWith('- ') === true ? this.#list(indent) : this.#map(indent);
  }

  #list(indent: number): Yaml {
    const items: Yaml[] = [];
    for (let line = this.#lines[this.#at]; line?.indent === indent; line = this.#lines[this.#at]) {
      if (!line.text.startsWith('- ')) throw this.#problem(line);
      const rest = line.text.slice(2);
      if (KEY.test(rest)) {
        this.#lines[this.#at] = { ...line, indent: indent + 2, text: rest };
        items.push(this.#map(indent + 2));
      } else {
        this.#at += 1;
        items.push(this.#inline(rest, line));
      }
    }
    return items;
  }

  #map(indent: number): Yaml {
    const merged: Record<string, Yaml> = {};
    const own: Record<string, Yaml> = {};
    for (let line = this.#lines[this.#at]; line?.indent === indent; line = this.#lines[this.#at]) {
      const [, quoted, rest = ''] = KEY.exec(line.text) ?? [];
      if (quoted === undefined) throw this.#problem(line);
      const key = quoted.replace(/^"|"$/g, '');
      if (key in own) throw new Error(`line ${line.number + 1} repeats ${key}`);
      this.#at += 1;
      const value = this.#value(rest, line);
      if (key !== '<<') own[key] = value;
      else if (isMap(value)) Object.assign(merged, value);
      else throw this.#problem(line);
    }
    const deeper = this.#lines[this.#at];
    if (deeper !== undefined && deeper.indent > indent) throw this.#problem(deeper);
    return { ...merged, ...own };
  }

  #value(given: string, line: Line): Yaml {
    const anchor = ANCHOR.exec(given);
    const rest = anchor === null ? given : given.slice(anchor[0].length);
    const value = this.#unanchored(rest, line);
    if (anchor?.[1] !== undefined) this.#anchors.set(anchor[1], value);
    return value;
  }

  #unanchored(rest: string, line: Line): Yaml {
    if (rest === '|') return this.#literal(line);
    if (rest !== '') return this.#inline(rest, line);
    const next = this.#lines[this.#at];
    return next !== undefined && next.indent > line.indent ? this.#block(next.indent) : '';
  }

  #literal(line: Line): string {
    const text: string[] = [];
    for (let number = line.number + 1; number < this.#raw.length; number += 1) {
      const raw = this.#raw[number] ?? '';
      if (raw.trim() !== '' && raw.length - raw.trimStart().length <= line.indent) break;
      text.push(raw.trim());
    }
    while ((this.#lines[this.#at]?.number ?? Infinity) <= line.number + text.length) this.#at += 1;
    return text.join('\n');
  }

  #inline(text: string, line: Line): Yaml {
    const alias = /^\*([\w-]+)$/.exec(text)?.[1];
    if (alias !== undefined) {
      const value = this.#anchors.get(alias);
      if (value === undefined) throw this.#problem(line);
      return value;
    }
    const flow = /^([[{])\s*(.*?)\s*[\]}]$/.exec(text);
    if (flow === null) return text.replace(/^"(.*)"$/, '$1');
    const parts = (flow[2] ?? '').match(/(?:"[^"]*"|[^,"])+/g)?.map((part) => part.trim()) ?? [];
    if (flow[1] === '[') return parts.map((part) => this.#inline(part, line));
    return Object.fromEntries(
      parts.map((part) => {
        const [, key, value = ''] = KEY.exec(part) ?? [];
        if (key === undefined) throw this.#problem(line);
        return [key, this.#inline(value, line)];
      }),
    );
  }
}

/** @throws naming the line that is not of the part of YAML understood here */
export function readYaml(text: string): Yaml {
  return new Reader(text).read();
}
