/** Meters one attempt: counts every model reply and every search, also when the node fails. */
import { readStepCredits, recordUsage, type Use } from '../../billing/usage.ts';
import { MILLICREDITS } from '../../billing/plans.ts';
import { tokenCost } from '../../billing/prices.ts';
import { noteUse } from '../../observe/worker-metrics.ts';
import type { Sql } from '../../db/client.ts';
import type { Usage, KnowledgePort, ModelPort, NodeTools } from '../../nodes/tools.ts';
import type { Segment } from '../ledger/segments.ts';
import type { NodeExecution } from './context.ts';

export class Meter {
  readonly #kind: string;
  readonly #uses = new Map<string, Use>();

  /** @param kind the type of the node, which sets the price */
  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Wraps tools so that their usage is counted. */
  wrapTools(tools: NodeTools): NodeTools {
    const models: ModelPort = {
      complete: async (request) => {
        let used: Usage | null = null;
        try {
          const reply = await tools.models.complete({ ...request, onUsage: (usage) => void (used = usage) });
          used = reply.usage;
          return reply;
        } finally {
          if (used !== null) this.#noteCall(request.model, used);
        }
      },
    };
    const knowledge: KnowledgePort = {
      search: (request) => tools.knowledge.search({ ...request, onUse: (use) => this.#note(use) }),
    };
    return { ...tools, models, knowledge };
  }

  /** True when no attempt of the step can have used anything. */
  isIdle({ attempt }: Pick<NodeExecution, 'attempt'>): boolean {
    return this.#uses.size === 0 && attempt === 1;
  }

  /**
   * Records the usage, in the transaction that ends the attempt.
   * @returns the credits of all attempts of the step
   */
  async record(tx: Sql, segment: Segment, execution: NodeExecution): Promise<number> {
    if (this.isIdle(execution)) return 0;
    const { runPk: subjectId, organizationId } = segment;
    const { stepId } = execution;
    await recordUsage(tx, { organizationId, subjectId, stepId }, [...this.#uses.values()]);
    return readStepCredits(tx, subjectId, stepId);
  }

  /**
   * Records the usage of an attempt without an outcome: its run was cancelled, or its worker stops. The settlement job charges it.
   */
  async recordAbandoned(
    sql: Sql,
    { runPk: subjectId, organizationId }: Pick<Segment, 'runPk' | 'organizationId'>,
    { stepId }: NodeExecution,
  ): Promise<void> {
    await recordUsage(sql, { organizationId, subjectId, stepId }, [...this.#uses.values()]);
  }

  #noteCall(model: string, tokens: Usage): void {
    const isByok = tokens.byok === true;
    this.#note({
      kind: this.#kind,
      model,
      isByok,
      inputTokens: tokens.input_tokens,
      outputTokens: tokens.output_tokens,
      creditsMc: isByok ? 0 : tokenCost(this.#kind, tokens),
    });
  }

  #note(use: Use): void {
    noteUse({ ...use, credits: use.creditsMc / MILLICREDITS });
    const key = `${use.isByok} ${use.model}`;
    const before = this.#uses.get(key);
    this.#uses.set(key, {
      ...use,
      inputTokens: (before?.inputTokens ?? 0) + use.inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + use.outputTokens,
      creditsMc: (before?.creditsMc ?? 0) + use.creditsMc,
    });
  }
}
