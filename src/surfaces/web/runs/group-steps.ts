/** Groups the steps of a run by the step that they belong to. */
interface ParentedStep {
  readonly step_id: string;
  readonly parent_step_id: string | null;
}

/** Groups steps by their parent, in their order; a step whose parent is not among them is at the top, under null. */
export function groupByParent<Step extends ParentedStep>(
  steps: readonly Step[],
): ReadonlyMap<string | null, readonly Step[]> {
  const known = new Set(steps.map(({ step_id: id }) => id));
  const groups = new Map<string | null, Step[]>();
  for (const step of steps) {
    const { parent_step_id: id } = step;
    const parent = id !== null && known.has(id) ? id : null;
    const siblings = groups.get(parent);
    if (siblings === undefined) groups.set(parent, [step]);
    else siblings.push(step);
  }
  return groups;
}
