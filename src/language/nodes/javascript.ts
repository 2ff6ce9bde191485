/** Finds what a function's code cannot start with: errors of syntax, imports, and no function to call. */
import { Parser } from 'acorn';
import type { ModuleDeclaration, Program, Statement } from 'acorn';

/** A list of declared names of acorn with a set beside it: acorn searches the list for each name that it declares. */
class NameList extends Array<string> {
  readonly #seen = new Set<string>();

  override push(...names: string[]): number {
    for (const name of names) this.#seen.add(name);
    return super.push(...names);
  }

  override indexOf(name: string): number {
    return this.#seen.has(name) ? 0 : -1;
  }
}

/** The part of acorn's parser that its types leave out. */
interface Scopes {
  readonly scopeStack: readonly {
    readonly flags: number;
    var: string[];
    lexical: string[];
    functions: string[];
  }[];
}

/** A branch of a disjunction in a regular expression. */
interface Branch {
  readonly parent: Branch | null;
}

/** acorn's state of a regular expression: the branches in which each name of a group stands. */
interface PatternState {
  readonly groupNames: Readonly<Record<string, Branch[]>>;
  readonly branchID: Branch | null;
  readonly lastStringValue: string;
  current(): number;
}

type EnterScope = (this: Scopes, flags: number) => void;
type ReadGroup = (this: unknown, state: PatternState) => void;

/** acorn's flags of the scopes that `var` declares in: modules, functions, static blocks. */
const VAR_SCOPE = 1 | 2 | 256;
/** Blocks in each other within one function: acorn goes through them for each `var`. */
const MAX_BLOCKS = 16;
/** Disjunctions in each other around a named group: acorn goes through them for each group of the same name. */
const MAX_BRANCHES = 16;
const QUESTION_MARK = 0x3f;

/** The code would take the parser too long. */
class TooNested extends Error {
  override readonly name = 'TooNested';
}

/** acorn in linear time: 500 kB of declarations, or of one name of a group, took six to fourteen seconds of the API's only thread. */
const LinearParser = Parser.extend((Base) => {
  // The members of a plugin are outside of acorn's types.
  const enterScope: unknown = Reflect.get(Base.prototype, 'enterScope');
  const readGroup: unknown = Reflect.get(Base.prototype, 'regexp_groupSpecifier');
  return class extends Base {
    enterScope(this: this & Scopes, flags: number): void {
      (enterScope as EnterScope).call(this, flags);
      const { scopeStack } = this;
      const scope = scopeStack.at(-1);
      if (scope !== undefined)
        Object.assign(scope, { var: new NameList(), lexical: new NameList(), functions: new NameList() });
      const holder = scopeStack.findLastIndex((outer) => (outer.flags & VAR_SCOPE) !== 0);
      if (scopeStack.length - 1 - holder > MAX_BLOCKS) throw new TooNested();
    }

    /** Compares a name that is given again with the first branch that has it, and not with all. */
    regexp_groupSpecifier(state: PatternState): void {
      if (state.current() === QUESTION_MARK && isDeep(state.branchID)) throw new TooNested();
      (readGroup as ReadGroup).call(this, state);
      state.groupNames[state.lastStringValue]?.splice(1);
    }
  };
});

function isDeep(branch: Branch | null): boolean {
  let outer = branch;
  for (let depth = 0; depth < MAX_BRANCHES && outer !== null; depth += 1) outer = outer.parent;
  return outer !== null;
}

const NO_FUNCTION = 'must export a function as its default, for example export default ({text}) => text';

/** The problem of code, or null. Code that is nested too deeply to be parsed in linear time is left to the sandbox. */
export function findCodeProblem(code: string): string | null {
  try {
    return findModuleProblem(LinearParser.parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), code);
  } catch (error) {
    if (!isSyntaxError(error)) return null;
    const { line, column } = error.loc;
    return `has a syntax error at line ${line}, column ${column + 1}: ${error.message.replace(/ \(\d+:\d+\)$/, '')}`;
  }
}

type Located = SyntaxError & { readonly loc: { readonly line: number; readonly column: number } };

function isSyntaxError(error: unknown): error is Located {
  return (
    error instanceof SyntaxError && 'loc' in error && !error.message.startsWith('Not enough stack space')
  );
}

function findModuleProblem({ body }: Program, code: string): string | null {
  for (const statement of body) {
    if (!('source' in statement) || !statement.source) continue;
    const line = code.slice(0, statement.start).split('\n').length;
    return `imports ${String(statement.source.value)} at line ${line}; functions have no modules beside their own code`;
  }
  // Code that throws by itself fails as its author wrote it.
  return body.some((statement) => statement.type === 'ThrowStatement' || exportsDefault(statement))
    ? null
    : NO_FUNCTION;
}

function exportsDefault(statement: Statement | ModuleDeclaration): boolean {
  if (statement.type === 'ExportDefaultDeclaration')
    return statement.declaration.type !== 'Literal' && statement.declaration.type !== 'ObjectExpression';
  if (statement.type !== 'ExportNamedDeclaration') return false;
  return statement.specifiers.some(
    ({ exported }) => (exported.type === 'Identifier' ? exported.name : exported.value) === 'default',
  );
}
