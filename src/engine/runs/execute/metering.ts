/** Meters one attempt: counts every model reply and every search, also when the node fails. */
import { readStepCredits, recordUsage, type Use } from '../../../platform/billing/usage.ts';
import { MILLICREDITS } from '../../../platform/billing/plans.ts';
import { computeTokenPrice } from '../../../platform/billing/prices.ts';
import { noteReply, noteSpanUsage, planChat, planRetrieval } from '../../../base/observe/gen-ai.ts';
import { traced } from '../../../base/observe/tracing.ts';
import { noteUse } from '../../../base/observe/worker-metrics.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { Usage, KnowledgePort, ModelPort, NodeTools } from '../../../language/nodes/tools.ts';
import type { Segment } from '../ledger/write/segments.ts';
import type { AttemptBudget } from './budget.ts';
import type { NodeExecution } from '../walk/context.ts';

export class Meter {
  readonly #kind: string;
  readonly #workflowId: string | null;
  readonly #uses = new Map<string, Use>();

  /** @param kind the type of the node, which sets the price */
  constructor(kind: string, workflowId: string | null) {
    this.#kind = kind;
    this.#workflowId = workflowId;
  }

  /**
   * Wraps tools so that their usage is counted, and each call has its span.
   * @param budget reserves the most that each call may take, before it is made; null: no budget binds the attempt
   */
  wrapTools(tools: NodeTools, budget: AttemptBudget | null): NodeTools {
    const models: ModelPort = {
      complete: (request) =>
        traced(planChat(request), async (span) => {
          const settle = await budget?.reserveCall(request);
          let used: Usage | null = null;
          let credits = 0;
          try {
            const reply = await tools.models.complete({
              ...request,
              onUsage: (usage) => void (used = usage),
            });
            used = reply.usage;
            noteReply(span, reply);
            return reply;
          } finally {
            if (used !== null) credits = this.#noteCall(request.model, used);
            if (used !== null) noteSpanUsage(span, used, credits);
            await settle?.(credits * MILLICREDITS);
          }
        }),
    };
    const knowledge: KnowledgePort = {
      search: (request) =>
        traced(planRetrieval(request.knowledgeBaseIds), async () => {
          const settle = await budget?.reserveSearch(request);
          let usedMc = 0;
          const onUse = (use: Use): void => {
            usedMc += use.creditsMc;
            this.#note(use);
          };
          try {
            return await tools.knowledge.search({ ...request, onUse });
          } finally {
            await settle?.(usedMc);
          }
        }),
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

  /** @returns the credits of the call */
  #noteCall(model: string, tokens: Usage): number {
    const isByok = tokens.byok === true;
    const creditsMc = isByok ? 0 : computeTokenPrice(this.#kind, tokens);
    this.#note({
      kind: this.#kind,
      model,
      isByok,
      inputTokens: tokens.input_tokens,
      outputTokens: tokens.output_tokens,
      creditsMc,
    });
    return creditsMc / MILLICREDITS;
  }

  #note(use: Use): void {
    noteUse({ ...use, workflowId: this.#workflowId, credits: use.creditsMc / MILLICREDITS });
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
