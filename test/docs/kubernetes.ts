/** The plain rendering of the Helm chart, which says from which files it was made. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './readmes.ts';

const OPERATIONS = join(ROOT, 'src/base/observe/operations');
const CHART = join(OPERATIONS, 'helm');
export const RENDERING = join(OPERATIONS, 'kubernetes.yaml');
/** The oldest release of Kubernetes that Chart.yaml allows. */
const KUBERNETES = '1.27.0';

/** Builds the head of the rendering: the digest of the chart's files, so that a test notices when it is old. */
export function describeChart(): string {
  const digest = createHash('sha256');
  const files = readdirSync(CHART, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  // A release writes its version into both.
  for (const file of files.toSorted())
    digest.update(readFileSync(file, 'utf8').replaceAll(/ersion: .*/g, ''));
  return `# Rendered from helm/ by \`npm run kubernetes\`: ${digest.digest('hex').slice(0, 16)}\n`;
}

/** Renders the chart with its own values. @throws when Helm is not on PATH */
export function renderChart(): string {
  const args = ['template', 'workflow-automation', CHART, '--kube-version', KUBERNETES];
  return `${describeChart()}${execFileSync('helm', args, { encoding: 'utf8' })}`;
}
