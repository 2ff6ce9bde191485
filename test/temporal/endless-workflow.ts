/** A workflow whose first activation never ends. */
export async function interpretWorkflow(): Promise<void> {
  await Promise.resolve();
  for (;;);
}
