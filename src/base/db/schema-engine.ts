/**
 * Prisma's schema engine as WebAssembly: what `prisma migrate deploy` runs, without the binary it would download.
 * schema-engine-wasm.ts loads it; migrate.ts reads the migrations and takes the lock.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import pg from 'pg';

/**
 * The adapter splits scripts at every semicolon, those in comments and function bodies too, and runs the pieces one by
 * one. This one sends a script whole: PostgreSQL runs it as one transaction, so a migration is applied or it is not.
 */
class WholeScripts extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
    };
    return adapter;
  }
}

/**
 * Applies the migrations of the list that the database does not have yet, in their order, and records each in
 * `_prisma_migrations`.
 * @returns the names of those applied now, and of those whose file was changed after it was applied
 * @throws when a migration fails, or when an earlier one is recorded as failed
 */
export async function applyMigrations(
  databaseUrl: string,
  migrationsList: MigrationList,
): Promise<{ applied: string[]; edited: string[] }> {
  const { Engine } = await import('./schema-engine-wasm.ts');
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, application_name: 'migrate' });
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool));
    const engine = await Engine.new({ datamodels: undefined }, () => undefined, adapter);
    const filters = { externalTables: [], externalEnums: [] };
    const done = await engine.applyMigrations({ migrationsList, filters });
    const history = await engine.diagnoseMigrationHistory({
      migrationsList,
      filters,
      optInToShadowDatabase: false,
    });
    return { applied: done.appliedMigrationNames, edited: history.editedMigrationNames };
  } catch (error) {
    throw new Error(plainMessage(error), { cause: error });
  } finally {
    // Ending the session frees the lock the engine takes in it.
    await pool.end();
  }
}

/** The engine reports user-facing errors as JSON inside the message; its own stack traces help nobody. */
function plainMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message);
  } catch {
    // Not JSON: the text itself is the message.
  }
  return text;
}
