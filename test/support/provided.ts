/** What the set-ups hand to the tests through vitest's `inject`. */
declare module 'vitest' {
  interface ProvidedContext {
    /** A database of the server whose user may create others. */
    readonly adminDatabaseUrl: string;
    /** The name of a migrated database to clone. */
    readonly templateDatabase: string;
    readonly temporalAddress: string;
    /** Where the built service lies: `src/processes/serve-api.js`, `temporal/serve-worker.js`. */
    readonly builtService: string;
  }
}

export {};
