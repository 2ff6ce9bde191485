/** An interpreter on a machine that is too slow for it: its activations do not end. */
export async function interpretWorkflow(): Promise<void> {
  for (;;);
}
