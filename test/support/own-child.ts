/** Child processes that do not outlive the test process, even when a set-up fails before anybody could close it. */
import { launch, type Child, type LaunchOptions } from '../../src/processes/local/processes.ts';

const children = new Set<Child>();

process.once('exit', () => {
  for (const child of children) if (!child.hasEnded()) process.kill(child.pid, 'SIGKILL');
});

/** As `launch`; the child is killed when this process exits. */
export async function launchOwn(options: LaunchOptions): Promise<Child> {
  const child = await launch(options);
  children.add(child);
  void child.ended.then(() => children.delete(child));
  return child;
}
