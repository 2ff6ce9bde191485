/** Promotes the deployed workflows of a folder from one environment to another. */
import type { WorkflowFile } from './definition-files.ts';
import { toFileForm } from './file-form.ts';
import type { Folder, FolderState } from './folder.ts';
import { WorkflowMatches } from './match-workflows.ts';
import type { PushItem } from './push-plan.ts';

interface Deployed {
  readonly items: readonly PushItem[];
  /** Files whose workflows are not deployed in the source environment. */
  readonly undeployed: readonly WorkflowFile[];
}

/** Reads what is live in an environment, for each file of the folder. */
export async function readDeployed(folder: Folder, state: FolderState): Promise<Deployed> {
  const { names, open } = state;
  const { client } = open.session;
  await names.load([]);
  const matches = new WorkflowMatches(folder.files, state);
  for (const file of folder.files) names.setSlug(file.slug, matches.get(file) ?? null);
  const items: PushItem[] = [];
  const undeployed: WorkflowFile[] = [];
  for (const file of folder.files) {
    const workflowId = matches.get(file);
    const workflow = typeof workflowId === 'string' ? await client.workflows.get(workflowId) : null;
    const deploymentId = workflow?.live_deployment_id ?? null;
    if (workflow === null || deploymentId === null) {
      undeployed.push(file);
      continue;
    }
    const live = await client.workflows.getDeployment({ workflowId: workflow.id, deploymentId });
    // The snapshot has the number of the deployment as its version, and no category.
    const { version: _, ...snapshot } = live;
    const form = toFileForm({ ...snapshot, category: workflow.category });
    await names.load([form]);
    items.push({ file, form: names.toNamedForm(form) });
  }
  return { items, undeployed };
}
