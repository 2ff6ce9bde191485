/** Offers the workflow as a tool of the MCP server: whether, under which name, and the address that clients need. */
import { useMutation } from '@tanstack/react-query';
import { getAt } from '../../../language/graph/values/pointer.ts';
import { ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { useEditing } from '../canvas/context.ts';
import { MCP_SETTINGS } from '../forms/envelope-fields.ts';
import { FieldView } from '../forms/field-view.tsx';
import { editorWords } from '../words-editor.ts';
import { ClientAddress } from './client-address.tsx';

const { mcp: said } = editorWords;

/** The reply as a stream of one event, which clients without a newer version of the protocol get. */
const EVENT = /^data: (.*)$/m;

/** Finds the tool of a workflow in the reply to `tools/list`. @returns its name; null without one */
function findTool(reply: unknown, workflowId: string): string | null {
  const message: unknown = typeof reply === 'string' ? JSON.parse(EVENT.exec(reply)?.[1] ?? 'null') : reply;
  const tools = getAt(message as Json, ['result', 'tools']);
  const tool = (Array.isArray(tools) ? tools : []).find(
    (one) => getAt(one, ['_meta', 'workflow_id']) === workflowId,
  );
  const name = tool === undefined ? undefined : ownValue(tool, 'name');
  return typeof name === 'string' ? name : null;
}

export function McpSettings({ metadata }: { readonly metadata: JsonObject }) {
  const { client, connection } = useEditing();
  const isOffered = getAt(metadata, ['mcp', 'enabled']) === true;
  const check = useMutation({
    mutationFn: async () => {
      const reply = await client.request('POST', '/mcp', {
        headers: { Accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      });
      return findTool(reply, connection.workflowId);
    },
  });
  const [enabled, ...names] = MCP_SETTINGS;
  const settings = {
    entity: 'metadata',
    config: metadata,
    base: [],
    problems: [],
    isReadOnly: false,
  } as const;
  return (
    <details open={isOffered}>
      <summary>{said.title}</summary>
      <div className="wc-stack">
        {enabled !== undefined && <FieldView {...settings} field={enabled} />}
        <p className="wc-hint">{said.why}</p>
        {isOffered && (
          <>
            {names.map((field) => (
              <FieldView key={field.ptr} {...settings} field={field} />
            ))}
            <ClientAddress path="/mcp" check={check} said={said} />
          </>
        )}
      </div>
    </details>
  );
}
