/** @returns the SQLSTATE that PostgreSQL refused a statement with, or another program's code; '' for what has none */
export function sqlStateOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : '';
}
