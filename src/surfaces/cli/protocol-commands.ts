/** The commands `mcp` and `openai`: the URLs for programs that speak these protocols, and the workflows that they find there. */
import type { Command } from 'commander';
import { getAt } from '../../language/graph/values/pointer.ts';
import { ownValue, type Json } from '../../language/graph/values/value.ts';
import type { Sessions } from './session.ts';

/** A reply that is a stream of one event: clients of older versions of the protocol get that. */
const EVENT = /^data: (.*)$/m;

/** Adds `mcp` and `openai`. Calls over these protocols are runs: `workflow runs list` shows them. */
export function addProtocols(program: Command, sessions: Sessions): void {
  program
    .command('mcp')
    .description('Show the URL of the MCP server and the tools available to this login')
    .action(async (_: object, command: Command) => {
      const { client, screen, url, isJson } = await sessions.open(command);
      const reply: unknown = await client.request('POST', '/mcp', {
        headers: { Accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      });
      const message = typeof reply === 'string' ? JSON.parse(EVENT.exec(reply)?.[1] ?? 'null') : reply;
      const found = getAt(message as Json, ['result', 'tools']);
      const tools = Array.isArray(found) ? found : [];
      if (isJson) return screen.json({ url: `${url}/mcp`, tools });
      screen.line(`URL: ${url}/mcp`);
      screen.table(
        ['tool', 'arguments', 'description'],
        tools.map((tool) => [
          ownValue(tool, 'name'),
          Object.keys((getAt(tool, ['inputSchema', 'properties']) ?? {}) as object).join(', '),
          ownValue(tool, 'description'),
        ]),
      );
    });
  program
    .command('openai')
    .description('Show the base URL for OpenAI clients and the workflows available as models')
    .action(async (_: object, command: Command) => {
      const { client, screen, url, isJson } = await sessions.open(command);
      const { data } = await client.request('GET', '/openai/models');
      if (isJson) return screen.json({ base_url: `${url}/openai`, models: data });
      screen.line(`Base URL: ${url}/openai`);
      screen.table(
        ['model', 'created'],
        data.map(({ id, created }) => [id, new Date(created * 1_000).toISOString()]),
      );
    });
}
