/** The job `databases` of docker-compose.yml: the roles and databases of a new server. */
import pg from 'pg';
import { configOf, effectiveEnvironment } from './compose.ts';

/** Runs what `psql` runs of the file: statements, `\getenv`, `\gexec`, and variables as literals. */
async function runSql(client: pg.Client, text: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const variables = new Map<string, string>();
  const statements = text.replaceAll(/^\\getenv (\w+) (\w+)\n/gm, (_, name: string, from: string) => {
    variables.set(name, environment[from] ?? '');
    return '';
  });
  for (const [, body = '', end = ''] of statements.matchAll(/([^;\\]+)(;|\\gexec)\s*/g)) {
    const sql = body.replaceAll(/:'(\w+)'/g, (_, name: string) =>
      pg.escapeLiteral(variables.get(name) ?? ''),
    );
    const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
    for (const made of end === ';' ? [] : rows.flat()) await client.query(made);
  }
}

/** Runs the job `databases`. @param databaseUrl a superuser on the server */
export async function createComposeDatabases(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await runSql(client, configOf('databases'), effectiveEnvironment('databases'));
  } finally {
    await client.end();
  }
}
