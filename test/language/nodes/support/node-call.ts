/** A NodeCall for tests: real templates and rules over given roots, ports that record, and no engine. */
import { evaluateRules } from '../../../../src/language/graph/template/rules.ts';
import { RenderBudget } from '../../../../src/language/graph/template/render-budget.ts';
import { NODE_WORK, WorkBudget } from '../../../../src/language/graph/values/work-budget.ts';
import { render, renderText, type TemplateScope } from '../../../../src/language/graph/template/template.ts';
import type { Json, JsonObject } from '../../../../src/language/graph/values/value.ts';
import type { NodeCall, NodeKind, NodeResult } from '../../../../src/language/nodes/kind.ts';
import type {
  HttpRequest,
  HttpResponse,
  ModelReply,
  ModelRequest,
  NodeTools,
} from '../../../../src/language/nodes/tools.ts';
import { expect } from 'vitest';
import { watchPorts } from './described.ts';
import { PatternSearch, Patterns } from '../../../../src/language/nodes/pattern.ts';

export interface Fakes {
  readonly roots?: JsonObject;
  readonly threadId?: string | null;
  readonly signal?: AbortSignal;
  /** The budget of the execution; a whole one when it is left out. */
  readonly work?: WorkBudget;
  readonly http?: (request: HttpRequest) => Promise<HttpResponse>;
  readonly model?: (request: ModelRequest) => Promise<ModelReply>;
  readonly sandbox?: NodeTools['sandbox']['run'];
  readonly parser?: NodeTools['parser']['parse'];
  readonly memory?: NodeTools['memory'];
  readonly credentials?: NodeTools['credentials']['find'];
  readonly mcp?: NodeTools['mcp']['call'];
  readonly compose?: NodeTools['compositions']['save'];
  readonly knowledge?: NodeTools['knowledge']['search'];
  readonly tables?: NodeTools['tables'];
  readonly files?: NodeTools['files']['find'];
  readonly keeper?: NodeTools['files']['keeper'];
  readonly describeMcp?: NodeTools['mcp']['describe'];
  /** Counts the bytes of bodies; nobody does when it is left out. */
  readonly hold?: NodeCall<unknown>['hold'];
  /** Refuses effects; without it all are allowed. */
  readonly admit?: NodeCall<unknown>['admit'];
  /** Gets the input and the secrets that it hides. */
  readonly keepInput?: NodeCall<unknown>['keepInput'];
  /** What the node said, in order: `sending`, `notSent`, `token:x`, `reset:retry`. */
  readonly said?: string[];
  /** Refuses changes; without it all have their budget. */
  readonly spend?: NodeCall<unknown>['spend'];
}

const scopeOf = (roots: Readonly<Record<string, Json>>, budget: RenderBudget): TemplateScope => ({
  root: (name) =>
    Object.hasOwn(roots, name) ? { state: 'value', value: roots[name] ?? null } : { state: 'empty' },
  missing: () => undefined,
  budget,
});

const absent = (port: string) => (): never => {
  throw new Error(`this test gave no ${port}`);
};

function toolsOf(fakes: Fakes): NodeTools {
  return {
    http: { send: fakes.http ?? absent('http') },
    models: { complete: fakes.model ?? absent('model') },
    sandbox: { run: fakes.sandbox ?? absent('sandbox') },
    parser: { parse: fakes.parser ?? absent('parser') },
    memory: fakes.memory ?? { read: absent('memory'), append: absent('memory') },
    credentials: { find: fakes.credentials ?? absent('credentials') },
    mcp: {
      call: fakes.mcp ?? absent('mcp'),
      describe: fakes.describeMcp ?? absent('describeMcp'),
    },
    compositions: { save: fakes.compose ?? absent('compose') },
    knowledge: { search: fakes.knowledge ?? absent('knowledge') },
    tables: fakes.tables ?? { get: absent('tables'), query: absent('tables') },
    files: { find: fakes.files ?? absent('files'), keeper: fakes.keeper ?? absent('keeper') },
    patterns: new Patterns(),
  };
}

/** A call of a node with a parsed config. */
export function nodeCall<Config>(config: Config, fakes: Fakes = {}): NodeCall<Config> {
  const roots = fakes.roots ?? {};
  const said = fakes.said ?? [];
  const note = (word: string): Promise<void> => {
    said.push(word);
    return Promise.resolve();
  };
  const work = fakes.work ?? new WorkBudget(NODE_WORK);
  const tools = toolsOf(fakes);
  const patterns = new PatternSearch(tools.patterns, work);
  const budget = new RenderBudget(work);
  const over = (extra?: Readonly<Record<string, Json>>): TemplateScope =>
    scopeOf({ ...roots, ...extra }, budget);
  return {
    config,
    identity: {
      organizationId: 'o1',
      runId: 'r1',
      runPk: 'pk1',
      rootRunPk: 'pk1',
      threadId: fakes.threadId ?? null,
      createdBy: null,
      nodeId: 'n',
      stepId: 's1',
      attempt: 1,
      idempotencyKey: 'pk1:n:0',
    },
    render: (value, extra) => render(value, over(extra)),
    renderText: (text, encode, extra) => renderText(text, over(extra), encode),
    evaluate: (rules, extra) => evaluateRules(rules, (side) => render(side, over(extra)), patterns),
    patterns,
    signal: fakes.signal ?? new AbortController().signal,
    tools,
    emit: {
      token: (delta) => void said.push(`token:${delta}`),
      tokenReset: (reason) => void said.push(`reset:${reason}`),
      progress: () => undefined,
      sending: () => note('sending'),
      notSent: () => note('notSent'),
    },
    admit: fakes.admit ?? (() => undefined),
    spend: fakes.spend ?? (() => Promise.resolve()),
    hold: fakes.hold ?? (() => Promise.resolve()),
    keepInput: fakes.keepInput ?? (() => undefined),
    follow: (_, perform) => perform(),
  };
}

/** Parses a config with its kind and runs it; a config with problems fails the test. The result has the input that it kept. */
export async function runNode(kind: NodeKind, config: JsonObject, fakes: Fakes = {}): Promise<NodeResult> {
  const read = kind.parse(config);
  if ('problems' in read)
    throw new Error(`refused: ${read.problems.map(({ message }) => message).join('; ')}`);
  let kept: { readonly input?: Json } = {};
  const call = nodeCall(read.config, {
    ...fakes,
    keepInput: (input, hidden) => {
      kept = { input };
      fakes.keepInput?.(input, hidden);
    },
  });
  const { tools, unforeseen } = watchPorts(call.tools, kind.describe?.(read.config) ?? []);
  try {
    const result = await kind.run({ ...call, tools });
    return result.outcome === 'completed' ? { ...result, ...kept } : result;
  } finally {
    expect(unforeseen, 'what leaves is described by the config').toEqual([]);
  }
}

/** The output of a node that completes. */
export async function outputOf(kind: NodeKind, config: JsonObject, fakes: Fakes = {}): Promise<Json> {
  const result = await runNode(kind, config, fakes);
  if (result.outcome !== 'completed') throw new Error(`the node ended with ${result.outcome}`);
  return result.output;
}

/** Codes and paths of a config's problems: `invalid_pattern checks.0.pattern`. */
export function listProblems(kind: NodeKind, config: JsonObject): string[] {
  const read = kind.parse(config);
  return 'problems' in read ? read.problems.map(({ code, path }) => `${code} ${path.join('.')}`.trim()) : [];
}
