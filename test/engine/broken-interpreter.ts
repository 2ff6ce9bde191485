/** An interpreter with a fault: each of its workflow tasks fails. */
export async function interpretWorkflow(): Promise<void> {
  throw new TypeError('a fault of the code');
}
