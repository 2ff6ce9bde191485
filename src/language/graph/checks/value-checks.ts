/** Tells which values a node reads behind a check only: a condition on them, guardrails, or people who have approved them. */
import type { TextFlow } from './text-flow.ts';
import type { FoundReference } from './text-origins.ts';
import type { Link } from '../schedule/plan.ts';
import { listSides } from '../template/roots.ts';
import { findReferences } from '../template/template.ts';
import type { Json } from '../values/value.ts';

/** Nodes and links that check a value. */
interface Checkers {
  readonly nodes: Set<number>;
  readonly links: Set<Link>;
}

/**
 * Steps over links in search of a way around checks; beyond them everything counts as checked, since these are warnings. A definition of 2,000 nodes
 * has some 3,000 links, so that 600 checked values are followed in it.
 */
const MAX_STEPS = 2_000_000;

/** `state.x` is `x`. */
const nameValue = ({ root, path }: FoundReference): readonly (string | number)[] =>
  root === 'state' && path.length > 0 ? path : [root, ...path];

export class ValueChecks {
  readonly #checkers = new Map<string, Checkers>();
  readonly #out = new Map<number, Link[]>();
  /** Nodes that are reached past the checks of a value, by its name. */
  readonly #past = new Map<string, ReadonlySet<number> | null>();
  #steps = 0;

  /** @param flows by node @param links implicit ones included */
  constructor(flows: readonly (TextFlow | null)[], links: readonly Link[]) {
    flows.forEach((flow, index) => {
      for (const value of flow?.checks ?? []) this.#note(value, (found) => found.nodes.add(index));
    });
    for (const link of links) {
      const others = this.#out.get(link.source);
      if (others === undefined) this.#out.set(link.source, [link]);
      else others.push(link);
      for (const side of link.when === null ? [] : listSides(link.when))
        this.#note(side, (found) => found.links.add(link));
    }
  }

  /** Tells whether every way to a node leads by a check of the value, or of one that it is a part of. */
  isChecked(reference: FoundReference, node: number): boolean {
    const path = nameValue(reference);
    const names = path.map((_, end) => JSON.stringify(path.slice(0, end + 1)));
    const known = names.filter((name) => this.#checkers.has(name));
    if (known.length === 0) return false;
    const past = this.#findPast(known);
    return past === null || !past.has(node);
  }

  #note(value: Json, add: (found: Checkers) => void): void {
    for (const reference of findReferences(value).references) {
      const name = JSON.stringify(nameValue(reference));
      const found = this.#checkers.get(name) ?? { nodes: new Set(), links: new Set() };
      this.#checkers.set(name, found);
      add(found);
    }
  }

  /** @returns null: the work is used up */
  #findPast(names: readonly string[]): ReadonlySet<number> | null {
    const key = names.join(' ');
    const known = this.#past.get(key);
    if (known !== undefined) return known;
    const past = this.#walkPast(names.flatMap((name) => this.#checkers.get(name) ?? []));
    this.#past.set(key, past);
    return past;
  }

  #walkPast(checkers: readonly Checkers[]): ReadonlySet<number> | null {
    const reached = new Set<number>();
    const open = [...this.#out.keys()].filter((source) => source < 0);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const link of this.#out.get(at) ?? []) {
        this.#steps += 1;
        if (this.#steps > MAX_STEPS) return null;
        if (reached.has(link.target) || checkers.some(({ links }) => links.has(link))) continue;
        reached.add(link.target);
        const { target } = link;
        if (!checkers.some(({ nodes }) => nodes.has(target))) open.push(target);
      }
    }
    return reached;
  }
}
