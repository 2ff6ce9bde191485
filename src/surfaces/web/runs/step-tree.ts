/** Steps as the rows of a tree: each below the step that it is part of. */
import { groupByParent } from './group-steps.ts';
import { runWords } from '../words-runs.ts';
import type { ListedStep } from './listed-step.ts';

export interface StepRow<Step extends ListedStep = ListedStep> {
  readonly step: Step;
  readonly depth: number;
  /** Steps directly inside. */
  readonly inside: number;
  readonly isOpen: boolean;
}

/** More steps than these inside another are folded at first. */
const OPEN_UP_TO = 20;

/** Formats the name of a step with its item and visit: `Send · item 3 · visit 2`. */
export const formatStepName = ({ node_name: name, item_index: item, visit }: ListedStep): string =>
  [name, item === null ? null : runWords.item(item), visit > 1 ? runWords.times(visit) : null]
    .filter((part) => part !== null)
    .join(' · ');

/**
 * Lists the rows that are shown, in order.
 * @param toggled step_ids whose fold was changed by hand
 * @param text only steps whose name contains it, without a tree
 */
export function listRows<Step extends ListedStep>(
  steps: readonly Step[],
  toggled: ReadonlySet<string>,
  text: string,
): StepRow<Step>[] {
  const wanted = text.trim().toLowerCase();
  if (wanted !== '')
    return steps
      .filter((step) => formatStepName(step).toLowerCase().includes(wanted))
      .map((step) => ({ step, depth: 0, inside: 0, isOpen: false }));
  const children = groupByParent(steps);
  const rows: StepRow<Step>[] = [];
  const visit = (parent: string | null, depth: number): void => {
    for (const step of children.get(parent) ?? []) {
      const inside = children.get(step.step_id)?.length ?? 0;
      const isOpen = inside > 0 && inside <= OPEN_UP_TO !== toggled.has(step.step_id);
      rows.push({ step, depth, inside, isOpen });
      if (isOpen) visit(step.step_id, depth + 1);
    }
  };
  visit(null, 0);
  return rows;
}
