/** The workflow of a worker that is well. */
export const interpretWorkflow = async (): Promise<string> => 'taken over';
