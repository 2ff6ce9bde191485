/** Workflows that the service brings along; selected by name, run like any definition. */
import type { Config } from '../../config.ts';
import type { JsonObject } from '../../graph/value.ts';

/** Answers one message, remembering the thread. `llm` replaces the managed model: provider, model, credential_id. */
function assistant(config: Config, llm: JsonObject): JsonObject {
  return {
    metadata: {
      name: 'Assistant',
      description: 'A conversation with the managed model',
      version: '1.0.0',
      tags: [],
    },
    config: {},
    state_schema: { fields: {} },
    nodes: [
      {
        id: 'assistant',
        type: 'llm',
        name: 'Assistant',
        config: {
          provider: 'openai',
          model: config.managedLlm?.model ?? 'managed',
          credential_id: null,
          messages: [
            { role: 'system', content: 'You are a helpful assistant of a workflow-automation service.' },
            { role: 'user', content: '{{input.message}}' },
          ],
          memory: { mode: 'thread', max_messages: 40 },
          stream: true,
          ...llm,
        },
      },
    ],
    edges: [
      { id: 'start-assistant', source: '__start__', target: 'assistant' },
      { id: 'assistant-end', source: 'assistant', target: '__end__' },
    ],
    entry_point: '__start__',
    input_parameters: [],
  };
}

/** The definition of a system workflow, or null when there is none of that name. */
export function systemWorkflow(name: string, config: Config, llm: JsonObject): JsonObject | null {
  return name === 'assistant' ? assistant(config, llm) : null;
}
