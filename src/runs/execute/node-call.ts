/** The call that a kind of node receives: its config, its templates, its tools, and a voice. */
import { evaluateRules } from '../../graph/rules.ts';
import { render, renderText } from '../../graph/template.ts';
import type { NodeCall, NodeEmit } from '../../nodes/kind.ts';
import type { NodeTools } from '../../nodes/tools.ts';
import { identityOf } from './run-context.ts';
import type { ExecutionScope, NodeExecution, RunContext } from './run-context.ts';

/** For nodes that nobody hears live: folded ones. */
export const SILENT: NodeEmit = {
  token: () => undefined,
  tokenReset: () => undefined,
  progress: () => undefined,
  sending: () => Promise.resolve(),
  notSent: () => Promise.resolve(),
};

export function buildCall(
  context: RunContext,
  execution: NodeExecution,
  scope: ExecutionScope,
  live: { readonly signal: AbortSignal; readonly tools: NodeTools; readonly emit: NodeEmit },
): NodeCall<unknown> {
  const { tools } = live;
  return {
    config: context.ready.configs[execution.node.index],
    identity: identityOf(context.segment, execution),
    render: (value, extra) => render(value, scope.with(extra)),
    renderText: (template, encode) => renderText(template, scope.with(), encode),
    evaluate: (rules, extra) =>
      evaluateRules(
        rules,
        (side) => render(side, scope.with(extra)),
        (pattern, text) => tools.matches(pattern, text),
      ),
    get signal() {
      return live.signal;
    },
    tools,
    emit: live.emit,
  };
}
