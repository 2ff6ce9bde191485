/**
 * Starts one PostgreSQL for all tests (or uses TEST_DATABASE_URL, whose user may create databases) and migrates a
 * template there, which each test file clones.
 */
import './provided.ts';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/base/db/migrate.ts';
import { startPostgres } from '../../src/processes/local/postgres.ts';
import { createProgressPrinter } from '../../src/processes/local/progress.ts';
import { share } from './shared-server.ts';

interface TestPostgres {
  readonly adminUrl: string;
  readonly template: string;
  stop(): Promise<void>;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function start(): Promise<TestPostgres> {
  const say = createProgressPrinter();
  const given = process.env['TEST_DATABASE_URL'];
  say(given === undefined ? 'PostgreSQL: starting' : 'PostgreSQL: the one of TEST_DATABASE_URL');
  const own = given === undefined ? await startPostgres({ say, throwaway: true }) : null;
  const adminUrl = own?.url ?? given ?? '';
  const template = `workflow_test_template_${process.pid}`;
  await execute(adminUrl, `DROP DATABASE IF EXISTS ${template}`);
  await execute(adminUrl, `CREATE DATABASE ${template}`);
  const url = new URL(adminUrl);
  url.pathname = `/${template}`;
  await migrate(url.href);
  say('PostgreSQL: ready, the template is migrated');
  return {
    adminUrl,
    template,
    async stop() {
      if (own === null) await execute(adminUrl, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
      else await own.stop();
    },
  };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, leave } = await share('postgres', start);
  project.provide('adminDatabaseUrl', server.adminUrl);
  project.provide('templateDatabase', server.template);
  return leave;
}
