/** The order of test files: the longest of a project first, since one that begins last leaves a core idle at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of more than a minute whose size does not tell. */
const LONGEST = [
  'faults/outages',
  'faults/command-line',
  'faults/rolling-upgrade',
  'faults/paused-worker',
  'faults/worker-lost',
  'faults/campaign',
  'faults/ledger',
  'faults/client',
  'faults/slow-temporal',
  'faults/agent-lost',
  'engine/web-run',
  'surfaces/web/drawn-edits',
  'surfaces/web/canvas-forms',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ project, moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return projects.indexOf(project.name) * 100 + (index === -1 ? LONGEST.length : index);
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
